import type { ComponentRow } from '../../contract/inventory/components.ts'
import type { FindingRow } from '../../contract/findings/lists.ts'
import type { IncidentRow } from '../../contract/incidents/shapes.ts'
import type { ComponentUse } from '../../contract/inventory/shapes.ts'
import type { VulnerabilityRow } from '../../contract/vulnerabilities/shapes.ts'
import type { Column } from '../../formats/table-file/table-file.ts'

/** Several values in one cell. */
const listed = (values: readonly string[]): string => values.join(' ')

export const findingColumns: readonly Column<FindingRow>[] = [
  { name: 'vulnerability', cell: ({ title }) => title },
  { name: 'severity', cell: ({ severity }) => severity },
  { name: 'score', cell: ({ score }) => score },
  { name: 'exploited', cell: ({ exploitedBy }) => listed(exploitedBy) },
  { name: 'epss', cell: ({ epss }) => epss?.score ?? null },
  { name: 'epss percentile', cell: ({ epss }) => epss?.percentile ?? null },
  { name: 'component', cell: ({ component }) => component.name },
  { name: 'component version', cell: ({ component }) => component.version },
  { name: 'purl', cell: ({ component }) => component.purl },
  { name: 'scope', cell: ({ component }) => component.scope },
  { name: 'direct dependency', cell: ({ directDependency }) => directDependency?.name ?? null },
  { name: 'direct dependency version', cell: ({ directDependency }) => directDependency?.version ?? null },
  { name: 'occurrences', cell: ({ occurrences }) => occurrences },
  { name: 'fixed in', cell: ({ fixedIn }) => fixedIn },
  { name: 'grade', cell: ({ grade }) => grade },
  { name: 'class', cell: (finding) => finding.class },
  { name: 'verdict', cell: ({ verdict }) => verdict },
  { name: 'verdict from', cell: ({ verdictSource }) => verdictSource },
  { name: 'first seen', cell: ({ firstSeenAt }) => firstSeenAt },
  { name: 'summary', cell: ({ summary }) => summary },
  { name: 'finding', cell: ({ id }) => id },
]

export const vulnerabilityColumns: readonly Column<VulnerabilityRow>[] = [
  { name: 'vulnerability', cell: ({ id }) => id },
  { name: 'malware', cell: ({ malware }) => (malware ? 'yes' : 'no') },
  { name: 'severity', cell: ({ severity }) => severity },
  { name: 'score', cell: ({ score }) => score },
  { name: 'exploited', cell: ({ exploitedBy }) => listed(exploitedBy) },
  { name: 'epss', cell: ({ epss }) => epss?.score ?? null },
  { name: 'epss percentile', cell: ({ epss }) => epss?.percentile ?? null },
  { name: 'product families', cell: ({ families }) => families },
  { name: 'product versions', cell: ({ versions }) => versions },
  { name: 'findings', cell: ({ findings }) => findings },
  { name: 'grade', cell: ({ grade }) => grade },
  { name: 'first seen', cell: ({ firstSeenAt }) => firstSeenAt },
  { name: 'summary', cell: ({ summary }) => summary },
]

/** Nothing found where nobody could look is not zero. */
const checkedFindings: readonly Column<Pick<ComponentRow, 'findings' | 'decidability'>>[] = [
  {
    name: 'findings',
    cell: ({ findings, decidability }) => (findings === 0 && decidability !== 'covered' ? null : findings),
  },
  { name: 'coverage', cell: ({ decidability }) => decidability },
]

export const componentColumns: readonly Column<ComponentRow>[] = [
  { name: 'group', cell: ({ group }) => group },
  { name: 'name', cell: ({ name }) => name },
  { name: 'version', cell: ({ version }) => version },
  { name: 'type', cell: ({ type }) => type },
  { name: 'purl', cell: ({ purl }) => purl },
  { name: 'cpe', cell: ({ cpe }) => cpe },
  { name: 'licence', cell: ({ licence }) => licence },
  { name: 'supplier', cell: ({ supplier }) => supplier },
  { name: 'scope', cell: ({ scope }) => scope },
  ...checkedFindings,
  { name: 'reason', cell: ({ reason }) => reason },
]

export const componentUseColumns: readonly Column<ComponentUse>[] = [
  { name: 'group', cell: ({ group }) => group },
  { name: 'name', cell: ({ name }) => name },
  { name: 'version', cell: ({ version }) => version },
  { name: 'product family', cell: ({ family }) => family.name },
  { name: 'product version', cell: ({ productVersion }) => productVersion },
  { name: 'purl', cell: ({ purl }) => purl },
  { name: 'licence', cell: ({ licence }) => licence },
  ...checkedFindings,
  { name: 'sbom', cell: ({ sbomId }) => sbomId },
]

export const incidentColumns: readonly Column<IncidentRow>[] = [
  { name: 'reference', cell: ({ reference }) => reference },
  { name: 'title', cell: ({ title }) => title },
  { name: 'kind', cell: ({ kind }) => kind },
  { name: 'status', cell: ({ status }) => status },
  { name: 'product families', cell: ({ families }) => families.map(({ name }) => name).join(', ') },
  { name: 'vulnerability', cell: ({ vulnKey }) => vulnKey },
  { name: 'severity', cell: ({ severity }) => severity },
  { name: 'source', cell: ({ source }) => source },
  { name: 'listed by', cell: ({ listedBy }) => listed(listedBy) },
  { name: 'exercise', cell: ({ isExercise }) => isExercise },
  { name: 'opened', cell: ({ openedAt }) => openedAt },
  { name: 'aware', cell: ({ awareAt }) => awareAt },
  { name: 'next regime', cell: ({ next }) => next?.regime ?? null },
  { name: 'next report', cell: ({ next }) => next?.report ?? null },
  { name: 'next due', cell: ({ next }) => next?.dueAt ?? null },
  { name: 'overdue reports', cell: ({ overdue }) => overdue },
  { name: 'determination', cell: ({ determination }) => determination?.value ?? null },
  { name: 'determination state', cell: ({ determination }) => determination?.state ?? null },
  { name: 'assignee', cell: ({ assignee }) => assignee?.name ?? null },
]
