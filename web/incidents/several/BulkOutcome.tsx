import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BulkResult } from '#contract/incidents/bulk-result.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import { TextLink } from '../../kit/text/links.tsx'

/** The outcome of an act on several incidents. */
export type Outcome = BulkResult & {
  /** References of the incidents it was done on, where the page knows them. */
  references?: readonly string[]
  /** Incidents whose receipt could not be stored. */
  withoutReceipt?: BulkResult['refused']
}

type Props = { outcome: Outcome | null; onClose: () => void }

/** The outcome of an act on several incidents, with the reason for each refusal. */
export function BulkOutcome({ outcome, onClose }: Props): ReactNode {
  return (
    <FormModal opened={outcome !== null} onClose={onClose} title="What was done">
      {outcome === null ? null : (
        <>
          <Text>
            Done for {formatNoun(outcome.done.length, 'incident')}
            {outcome.references === undefined || outcome.references.length === 0
              ? null
              : `: ${outcome.references.join(', ')}`}
            .
          </Text>
          <Reasons of={outcome.refused} words="Refused for" />
          <Reasons of={outcome.withoutReceipt ?? []} words="Recorded without its receipt for" />
          {(outcome.withoutReceipt ?? []).length === 0 ? null : (
            <Text mt="md">
              It is recorded all the same: do not record it again. Add the receipt under Submissions of the
              incident.
            </Text>
          )}
        </>
      )}
    </FormModal>
  )
}

function Reasons({ of, words }: { of: BulkResult['refused']; words: string }): ReactNode {
  const { slug } = useWorkspace()
  if (of.length === 0) return null
  return (
    <>
      <Text mt="md" fw={500}>
        {words} {formatNoun(of.length, 'incident')}:
      </Text>
      <List size="sm" mt={4}>
        {of.map(({ id, reference, reason }) => (
          <List.Item key={id}>
            <TextLink {...pages.incident(slug, id)} underline="always">
              {reference}
            </TextLink>
            : <Foreign>{reason}</Foreign>
          </List.Item>
        ))}
      </List>
    </>
  )
}
