import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { RelatedIncident } from '#contract/incidents/shapes.ts'
import { type Refusal, ActionButton, ActionItem } from '../../kit/actions/ActionButton.tsx'

type Props = {
  related: readonly RelatedIncident[]
  refused: Refusal
  isCopying: boolean
  /** Copies the saved draft of the same report from the incident with this id. */
  onCopy: (from: string) => void
}

/** Reports on the same vulnerability in another product are much the same, so their text is copied. */
export function CopyFrom({ related, refused, isCopying, onCopy }: Props): ReactNode {
  const siblings = related.filter(({ relation }) => relation === 'same_vulnerability')
  const [first, ...others] = siblings
  if (first === undefined) return null
  if (others.length === 0) {
    return (
      <ActionButton
        size="xs"
        variant="default"
        refused={refused}
        loading={isCopying}
        onClick={() => {
          onCopy(first.id)
        }}
      >
        Copy from {first.reference}
      </ActionButton>
    )
  }
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="default" loading={isCopying} rightSection={<IconChevronDown size={14} />}>
          Copy from
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {siblings.map(({ id, reference }) => (
          <ActionItem
            key={id}
            refused={refused}
            onClick={() => {
              onCopy(id)
            }}
          >
            {reference}
          </ActionItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
