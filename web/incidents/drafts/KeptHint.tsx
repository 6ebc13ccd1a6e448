import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { KeptValue, KeptWith } from '#contract/incidents/kept-values.ts'
import { draftFieldText } from '#contract/incidents/report-draft-text.ts'
import type { DraftInput, DraftValue } from '#contract/incidents/report-drafts.ts'
import { ForeignLines } from '../../kit/text/Foreign.tsx'
import { Moment } from '../../kit/time/Time.tsx'

const places: Record<KeptWith, { says: string; hasNothing: string }> = {
  family: {
    says: 'the product facts of the family say',
    hasNothing: 'the product facts of the family have nothing here any more',
  },
  company: {
    says: 'the settings of the company say',
    hasNothing: 'the settings of the company have nothing here any more',
  },
  incident: { says: 'the incident says', hasNothing: 'the incident has nothing here' },
}

type Props = {
  kept: KeptValue
  input: DraftInput
  value: DraftValue | undefined
  /** When the draft was saved; null: it has not been. */
  savedAt: string | null
  onUse: (value: DraftValue) => void
}

/** Where a draft differs from the stored value: shows that value, with a button that copies it in. */
export function KeptHint({ kept, input, value, savedAt, onUse }: Props): ReactNode {
  if (kept.left !== undefined) {
    return (
      <Text fz={13} mt={4}>
        Changed since, <Moment at={kept.changedAt} />: no longer in the active SBOM:{' '}
        <ForeignLines>{kept.left}</ForeignLines>
      </Text>
    )
  }
  if (isSame(kept.value, value)) return null
  const hasChanged = savedAt !== null && kept.changedAt > savedAt
  const isNothing = kept.value.length === 0
  const { says: words, hasNothing } = places[kept.with]
  const says = isNothing ? hasNothing : `${words} `
  return (
    <Group gap="xs" mt={4}>
      <Text fz={13}>
        {hasChanged ? (
          <>
            Changed since, <Moment at={kept.changedAt} />: {says}
          </>
        ) : (
          `Differs: ${says}`
        )}
        <ForeignLines>{draftFieldText(input, kept.value)}</ForeignLines>
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => {
          onUse(kept.value)
        }}
      >
        {isNothing ? 'Clear it' : 'Use it'}
      </Button>
    </Group>
  )
}

/** The order of Member States does not matter, nor whether nothing was ever written or all of it was removed. */
function isSame(kept: DraftValue, value: DraftValue | undefined): boolean {
  return JSON.stringify(ordered(kept)) === JSON.stringify(ordered(value))
}

function ordered(value: DraftValue | undefined) {
  if (value === undefined || value.length === 0) return null
  return typeof value === 'object' ? [...value].sort() : value
}
