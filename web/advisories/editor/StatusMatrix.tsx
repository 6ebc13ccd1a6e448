import { Button, NativeSelect, Table, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { DraftProduct, DraftVulnerability } from '#contract/advisories/shapes.ts'
import { justifications, verdicts } from '#contract/vex/shapes.ts'
import { typedText } from '#contract/typed-text.ts'
import { justificationWords, verdictLooks } from '../../findings/verdict.ts'
import { FieldProblem } from './FieldProblem.tsx'
import { fieldId, useProblem } from './fields.ts'
import { pageOf, VersionPages } from './VersionPages.tsx'
import styles from './StatusMatrix.module.css'

type Statuses = DraftVulnerability['statuses']
type Row = Statuses[number]

type Props = {
  /** Path of the statuses in the draft. */
  field: string
  products: readonly DraftProduct[]
  statuses: Statuses
  onChange: (statuses: Statuses) => void
}

/** Above this number there is a filter, and rows are paged. */
const pageRows = 50

/** The status of each version, over all families; a version without a status is left out of this vulnerability. */
export function StatusMatrix({ field, products, statuses, onChange }: Props): ReactNode {
  const [words, setWords] = useState('')
  const [wanted, setFrom] = useState(0)
  const places = new Map(statuses.map(({ versionId }, place) => [versionId, place]))
  const rowOf = (versionId: string) => statuses[places.get(versionId) ?? -1]
  /** In the order of the products, whatever the order in which they were set. */
  const setRows = (rows: ReadonlyMap<string, Row | undefined>) => {
    onChange(
      products.flatMap(
        ({ versionId }) => (rows.has(versionId) ? rows.get(versionId) : rowOf(versionId)) ?? [],
      ),
    )
  }
  if (products.length === 0) return <NoProducts field={field} />
  const found = matching(products, words)
  const pages = { size: pageRows, total: found.length }
  const from = pageOf(wanted, pages)
  return (
    <div id={fieldId(field)} tabIndex={-1}>
      <FieldProblem field={field} />
      {products.length > pageRows ? (
        <MatrixTools
          words={words}
          onWords={(next) => {
            setWords(next)
            setFrom(0)
          }}
          found={found}
          onSet={(status) => {
            setRows(
              new Map(
                found.map(({ versionId }) => [versionId, rowWith(rowOf(versionId), { versionId, status })]),
              ),
            )
          }}
        >
          <VersionPages from={from} {...pages} onFrom={setFrom} />
        </MatrixTools>
      ) : null}
      <MatrixTable
        field={field}
        shown={found.slice(from, from + pageRows)}
        placeOf={(versionId) => places.get(versionId) ?? -1}
        rowOf={rowOf}
        lastId={found.at(-1)?.versionId}
        onRow={(versionId, row) => {
          setRows(new Map([[versionId, row]]))
        }}
        onCopyDown={(versionId) => {
          const row = rowOf(versionId)
          const place = found.findIndex((product) => product.versionId === versionId)
          const below = found.slice(place + 1).map((product) => product.versionId)
          setRows(new Map(below.map((id) => [id, row && { ...row, versionId: id }])))
        }}
      />
    </div>
  )
}

function NoProducts({ field }: { field: string }): ReactNode {
  return (
    <Text size="sm" c="dimmed" id={fieldId(field)} tabIndex={-1}>
      Pick the product versions above, then say here how each of them is affected.
    </Text>
  )
}

type TableProps = {
  field: string
  shown: readonly DraftProduct[]
  /** Index in the draft's statuses. */
  placeOf: (versionId: string) => number
  rowOf: (versionId: string) => Row | undefined
  lastId: string | undefined
  onRow: (versionId: string, row: Row | undefined) => void
  onCopyDown: (versionId: string) => void
}

function MatrixTable({ field, shown, placeOf, rowOf, lastId, onRow, onCopyDown }: TableProps): ReactNode {
  return (
    <Table.ScrollContainer minWidth={500} type="native" className={styles['matrix']}>
      <Table verticalSpacing={4} horizontalSpacing={4} aria-label="Status of each version">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Version</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col">Why not affected</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((product) => {
            const { versionId } = product
            return (
              <StatusRow
                key={versionId}
                product={product}
                row={rowOf(versionId)}
                field={`${field}.${placeOf(versionId)}`}
                onChange={(row) => {
                  onRow(versionId, row)
                }}
                onCopyDown={
                  versionId === lastId
                    ? undefined
                    : () => {
                        onCopyDown(versionId)
                      }
                }
              />
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function matching(products: readonly DraftProduct[], words: string): readonly DraftProduct[] {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return products
  return products.filter((product) =>
    [product.family, product.version].join(' ').toLowerCase().includes(wanted),
  )
}

type ToolsProps = {
  words: string
  onWords: (words: string) => void
  found: readonly DraftProduct[]
  onSet: (status: Row['status']) => void
  children: ReactNode
}

/** Filters versions, and gives all that match one status. */
function MatrixTools({ words, onWords, found, onSet, children }: ToolsProps): ReactNode {
  return (
    <div className={styles['tools']}>
      <TextInput
        size="xs"
        aria-label="Filter the versions"
        placeholder="Filter the versions"
        value={words}
        onChange={(event) => {
          onWords(event.currentTarget.value)
        }}
      />
      <NativeSelect
        size="xs"
        aria-label={`Status of all ${found.length} versions`}
        value=""
        disabled={found.length === 0}
        data={[
          { value: '', label: `Set all ${found.length} to …` },
          ...verdicts.map((value) => ({ value, label: verdictLooks[value].word })),
        ]}
        onChange={(event) => {
          const status = verdicts.find((one) => one === event.currentTarget.value)
          if (status !== undefined) onSet(status)
        }}
      />
      {children}
    </div>
  )
}

/** The row with another status: the reason for not_affected is kept only while the version is not affected. */
function rowWith(row: Row | undefined, { versionId, status }: Pick<Row, 'versionId' | 'status'>): Row {
  return { versionId, justification: null, impact: '', ...keptOf(row, status), status }
}

type RowProps = {
  product: DraftProduct
  row: Row | undefined
  field: string
  onChange: (row: Row | undefined) => void
  onCopyDown: (() => void) | undefined
}

function StatusRow({ product, row, field, onChange, onCopyDown }: RowProps): ReactNode {
  const { versionId, family, version } = product
  const name = visibleText(`${family} ${version}`)
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>
        <NativeSelect
          size="xs"
          // as wide as its longest word needs
          miw={178}
          aria-label={`Status of ${name}`}
          value={row?.status ?? ''}
          data={[
            { value: '', label: 'Not mentioned' },
            ...verdicts.map((value) => ({ value, label: verdictLooks[value].word })),
          ]}
          onChange={(event) => {
            const status = verdicts.find((one) => one === event.currentTarget.value)
            onChange(status && rowWith(row, { versionId, status }))
          }}
        />
      </Table.Td>
      <ReasonCell name={name} row={row} field={field} onChange={onChange} />
      <Table.Td>
        {onCopyDown === undefined ? null : (
          <Button size="compact-sm" variant="subtle" aria-label={`Copy down ${name}`} onClick={onCopyDown}>
            Copy down
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function keptOf(row: Row | undefined, status: Row['status']): Partial<Row> {
  return row === undefined || status !== 'not_affected'
    ? {}
    : { justification: row.justification, impact: row.impact }
}

type ReasonProps = { name: string; row: Row | undefined; field: string; onChange: (row: Row) => void }

/** Why a version is not affected: a justification, an impact statement, or both. */
function ReasonCell({ name, row, field, onChange }: ReasonProps): ReactNode {
  const missing = useProblem(`${field}.justification`)
  const wrong = useProblem(field)
  const problem = missing ?? wrong
  const isCleared = row?.status === 'not_affected'
  return (
    <Table.Td>
      <NativeSelect
        size="xs"
        miw={150}
        id={fieldId(`${field}.justification`)}
        aria-label={`Why ${name} is not affected`}
        disabled={!isCleared}
        error={problem}
        value={row?.justification ?? ''}
        data={[
          { value: '', label: 'No justification' },
          ...justifications.map((value) => ({ value, label: justificationWords[value].name })),
        ]}
        onChange={(event) => {
          const justification = justifications.find((one) => one === event.currentTarget.value) ?? null
          if (row !== undefined) onChange({ ...row, justification })
        }}
      />
      {isCleared ? (
        <TextInput
          size="xs"
          mt={4}
          aria-label={`Impact statement of ${name}`}
          placeholder="Impact statement"
          value={row.impact}
          onChange={(event) => {
            onChange({ ...row, impact: typedText(event.currentTarget.value) })
          }}
        />
      ) : null}
    </Table.Td>
  )
}
