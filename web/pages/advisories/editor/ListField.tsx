import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { withEntry, withoutEntry } from './fields.ts'

type Props<T> = {
  label: string
  /** One of them: "reference". */
  noun: string
  entries: readonly T[]
  onChange: (entries: T[]) => void
  made: () => T
  children: (entry: T, change: (entry: T) => void, index: number) => ReactNode
}

/** A list of a draft: entries are added at its end and removed one by one. */
export function ListField<T>({ label, noun, entries, onChange, made, children }: Props<T>): ReactNode {
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text fw={600} size="sm">
        {label}
      </Text>
      {entries.map((entry, index) => (
        // entries have no names of their own: their place is what they are known by
        <Group key={index} align="flex-start" wrap="nowrap" gap="xs">
          <Group flex={1} align="flex-start" gap="xs">
            {children(
              entry,
              (next) => {
                onChange(withEntry(entries, index, next))
              },
              index,
            )}
          </Group>
          <ActionIcon
            variant="subtle"
            color="gray"
            mt={24}
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => {
              onChange(withoutEntry(entries, index))
            }}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => {
            onChange([...entries, made()])
          }}
        >
          Add {noun}
        </Button>
      </div>
    </Stack>
  )
}
