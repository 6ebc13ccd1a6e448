import { ActionIcon, Button, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { FieldProblem } from './FieldProblem.tsx'
import { fieldId, focusAdded, withEntry, withoutEntry } from './fields.ts'
import styles from './RowsField.module.css'

/** A column with its grid span, also on a phone, where the grid has two columns. */
type RowColumn = { name: string; span?: number; phoneSpan?: number }

type Props<T> = {
  /** Path of the list in the draft. */
  field: string
  /** null: it is inside another list, which has the label. */
  label: string | null
  description?: string
  /** One of them: "reference". */
  noun: string
  columns: readonly RowColumn[]
  /** Grid columns on wide screens; two equal ones by default. */
  grid?: string
  entries: readonly T[]
  onChange: (entries: T[]) => void
  /** Absent: entries are added elsewhere. */
  made?: () => T
  /** A cell for each column. */
  cells: (entry: T, change: (entry: T) => void, index: number) => ReactNode[]
}

/** A list in a draft with one header row. Entries are added at the end and removed one by one. */
export function RowsField<T>(props: Props<T>): ReactNode {
  const { field, label, description, noun, columns, grid, entries, onChange, made } = props
  return (
    <Stack
      gap={6}
      id={fieldId(field)}
      tabIndex={-1}
      {...(label === null ? {} : { role: 'group', 'aria-label': label })}
    >
      {label === null ? null : (
        <Text fw={600} size="sm">
          {label}
        </Text>
      )}
      {description === undefined ? null : (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      <FieldProblem field={field} />
      {entries.length === 0 ? null : (
        <div className={styles['rows']} style={gridOf(grid)}>
          <div className={`${styles['row']} ${styles['head']}`} aria-hidden>
            <Cells columns={columns} cells={columns.map(({ name }) => name)} />
          </div>
          <Rows {...props} />
        </div>
      )}
      {made === undefined ? null : (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => {
              onChange([...entries, made()])
              focusAdded(`#${fieldId(field)} > .${styles['rows']} > :last-child`)
            }}
          >
            Add {noun}
          </Button>
        </div>
      )}
    </Stack>
  )
}

function Rows<T>({ noun, columns, entries, onChange, cells }: Props<T>): ReactNode {
  const isTall = columns.length > 3
  return (
    <>
      {entries.map((entry, index) => (
        // entries have no id: the index is the key
        <div key={index} className={`${styles['row']} ${isTall ? styles['tall'] : ''}`}>
          <Cells
            columns={columns}
            cells={cells(
              entry,
              (next) => {
                onChange(withEntry(entries, index, next))
              },
              index,
            )}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            className={styles['remove'] ?? ''}
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => {
              onChange(withoutEntry(entries, index))
            }}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
    </>
  )
}

function Cells({
  columns,
  cells,
}: {
  columns: readonly RowColumn[]
  cells: readonly ReactNode[]
}): ReactNode {
  return (
    <div className={styles['cells']}>
      {columns.map(({ name, span = 1, phoneSpan = 1 }, place) => (
        <div
          key={name}
          className={styles['cell']}
          style={{ '--cell-span': span, '--cell-phone-span': phoneSpan } as CSSProperties}
        >
          {cells[place]}
        </div>
      ))}
    </div>
  )
}

function gridOf(grid: string | undefined): CSSProperties {
  return grid === undefined ? {} : ({ '--rows-columns': grid } as CSSProperties)
}
