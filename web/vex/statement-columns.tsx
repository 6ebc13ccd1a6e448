import { NameVersion } from '../kit/text/NameVersion.tsx'
import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import type { VexStatementRow } from '#contract/vex/documents.ts'
import { formatCount } from '../kit/text/format.ts'
import type { Column } from '../kit/table/column.ts'
import { VerdictChip } from '../findings/VerdictChip.tsx'
import { BindingMark } from './BindingMark.tsx'
import { unboundWords } from './vex-words.ts'

type StatementColumn = Column<VexStatementRow>

const vulnerability: StatementColumn = {
  id: 'vulnerability',
  header: 'Vulnerability',
  widthPx: 200,
  cell: ({ vulnerabilityIds }) => (
    <span className="clip" title={visibleText(vulnerabilityIds.join(', '))}>
      <Foreign>{vulnerabilityIds[0] ?? ''}</Foreign>
    </span>
  ),
  copies: ({ vulnerabilityIds: [id = ''] }) => ({ text: id, what: id }),
}

const verdict: StatementColumn = {
  id: 'verdict',
  header: 'Verdict',
  widthPx: 176,
  phoneWidthPx: 164,
  cell: ({ verdict: word }) => <VerdictChip verdict={word} />,
}

const names: StatementColumn = {
  id: 'names',
  header: 'Names',
  from: 'md',
  cell: ({ productLabel, targets: [target] }) => {
    const words = target?.purl ?? target?.cpe ?? productLabel
    return words === '' ? (
      <span className="dimmed">nothing</span>
    ) : (
      <span className="clip" title={visibleText(words)}>
        <Foreign>{words}</Foreign>
      </span>
    )
  },
}

const components: StatementColumn = {
  id: 'components',
  header: 'Components',
  from: 'sm',
  cell: ({ components: [first, ...others], wholeProduct }) => {
    if (first === undefined) return wholeProduct ? 'the whole product' : <span className="dimmed">none</span>
    return (
      <NameVersion
        name={first.name}
        version={first.version}
        title={first.purl}
        rest={
          others.length === 0 ? null : (
            <span className="dimmed whole">and {formatCount(others.length)} more</span>
          )
        }
      />
    )
  },
}

const findings: StatementColumn = {
  id: 'findings',
  header: 'Findings',
  widthPx: 92,
  from: 'sm',
  align: 'right',
  cell: ({ boundFindings }) =>
    boundFindings.length === 0 ? (
      <span className="dimmed">0</span>
    ) : (
      <strong>{formatCount(boundFindings.length)}</strong>
    ),
}

const binding: StatementColumn = {
  id: 'binding',
  header: 'Binding',
  widthPx: 112,
  from: 'sm',
  cell: ({ binding: state }) => <BindingMark binding={state} />,
}

export const statementColumns = [vulnerability, verdict, names, components, findings, binding]

export const unboundColumns: StatementColumn[] = [
  vulnerability,
  verdict,
  {
    id: 'label',
    header: 'Product as written',
    from: 'sm',
    cell: ({ productLabel }) =>
      productLabel === '' ? (
        <span className="dimmed">none</span>
      ) : (
        <span className="clip" title={visibleText(productLabel)}>
          <Foreign>{productLabel}</Foreign>
        </span>
      ),
  },
  {
    id: 'reason',
    header: 'Why it is not bound',
    from: 'md',
    cell: ({ unboundReason }) =>
      unboundReason === null ? null : (
        <span title={unboundWords[unboundReason].why}>{unboundWords[unboundReason].why}</span>
      ),
  },
]

/** Without a verdict column there is space on a phone for the component. */
const { from: _from, ...componentsAnywhere } = components
export const reportedColumns = [vulnerability, componentsAnywhere, names, findings]
