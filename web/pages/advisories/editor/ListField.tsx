import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FieldProblem } from './FieldProblem.tsx'
import { fieldId, withEntry, withoutEntry } from './fields.ts'

type Props<T> = {
  /** Path of the list in the draft. */
  field: string
  label: string
  /** One of them: "reference". */
  noun: string
  entries: readonly T[]
  onChange: (entries: T[]) => void
  made: () => T
  children: (entry: T, change: (entry: T) => void, index: number) => ReactNode
}

/** A list of a draft: entries are added at its end and removed one by one. */
export function ListField<T>(props: Props<T>): ReactNode {
  const { field, label, noun, entries, onChange, made, children } = props
  return (
    <Stack gap="xs" role="group" aria-label={label} id={fieldId(field)} tabIndex={-1}>
      <Text fw={600} size="sm">
        {label}
      </Text>
      <FieldProblem field={field} />
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
