import { Button, NativeSelect, Table, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import type { DraftProduct, DraftVulnerability } from '../../../../src/contract/advisories.ts'
import { justifications, verdicts } from '../../../../src/contract/vex.ts'
import { justificationWords, verdictLooks } from '../../../ui/findings/verdict.ts'
import { FieldProblem } from './FieldProblem.tsx'
import { fieldId, useProblem } from './fields.ts'
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

/** The status of each version, over all families; a version without one is left out of this vulnerability. */
export function StatusMatrix({ field, products, statuses, onChange }: Props): ReactNode {
  const rowOf = (versionId: string) => statuses.find((row) => row.versionId === versionId)
  /** In the order of the products, however they were judged. */
  const setRows = (rows: ReadonlyMap<string, Row | undefined>) => {
    onChange(
      products.flatMap(
        ({ versionId }) => (rows.has(versionId) ? rows.get(versionId) : rowOf(versionId)) ?? [],
      ),
    )
  }
  if (products.length === 0) {
    return (
      <Text size="sm" c="dimmed" id={fieldId(field)} tabIndex={-1}>
        Pick the product versions above, then say here how each of them is affected.
      </Text>
    )
  }
  return (
    <div id={fieldId(field)} tabIndex={-1}>
      <FieldProblem field={field} />
      <Table.ScrollContainer minWidth={600} type="native" className={styles['matrix']}>
        <Table verticalSpacing={4} aria-label="Status of each version">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Version</Table.Th>
              <Table.Th scope="col">Status</Table.Th>
              <Table.Th scope="col">Why not affected</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {products.map((product, place) => (
              <StatusRow
                key={product.versionId}
                product={product}
                row={rowOf(product.versionId)}
                field={`${field}.${statuses.findIndex(({ versionId }) => versionId === product.versionId)}`}
                onChange={(row) => {
                  setRows(new Map([[product.versionId, row]]))
                }}
                onCopyDown={
                  place === products.length - 1
                    ? undefined
                    : () => {
                        const row = rowOf(product.versionId)
                        const below = products.slice(place + 1).map(({ versionId }) => versionId)
                        setRows(new Map(below.map((versionId) => [versionId, row && { ...row, versionId }])))
                      }
                }
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  )
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
          miw={150}
          aria-label={`Status of ${name}`}
          value={row?.status ?? ''}
          data={[
            { value: '', label: 'Not mentioned' },
            ...verdicts.map((value) => ({ value, label: verdictLooks[value].word })),
          ]}
          onChange={(event) => {
            const status = verdicts.find((one) => one === event.currentTarget.value)
            onChange(status && { versionId, justification: null, impact: '', ...keptOf(row, status), status })
          }}
        />
      </Table.Td>
      <ReasonCell name={name} row={row} field={field} onChange={onChange} />
      <Table.Td>
        {onCopyDown === undefined ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Copy ${name} to the rows below`}
            onClick={onCopyDown}
          >
            Copy down
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** What was said of a version that is not affected counts only while it is not. */
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
            onChange({ ...row, impact: event.currentTarget.value })
          }}
        />
      ) : null}
    </Table.Td>
  )
}
