import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AffectedRow, IncidentDetail } from '#contract/incidents/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { ExploitedChips } from '../../findings/ExploitedChip.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import type { Column } from '../../kit/table/column.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { Age } from '../../kit/time/Time.tsx'

const columns: Column<AffectedRow>[] = [
  {
    id: 'family',
    header: 'Product',
    cell: ({ family, version, component }) => (
      <span className="two-lines">
        <NameVersion name={family} version={version} />
        <span className="phone-only dimmed">
          <NameVersion name={component.name} version={component.version} />
        </span>
      </span>
    ),
  },
  {
    id: 'component',
    header: 'Component',
    from: 'sm',
    copies: ({ component }) => (component.purl === null ? undefined : { text: component.purl, what: 'purl' }),
    cell: ({ component }) => (
      <NameVersion name={component.name} version={component.version} title={component.purl} />
    ),
  },
  {
    id: 'listed',
    header: 'Listed then',
    widthPx: 140,
    from: 'md',
    cell: ({ listedBy }) => <ExploitedChips catalogues={listedBy} />,
  },
  { id: 'added', header: 'Added', widthPx: 110, from: 'sm', cell: ({ addedAt }) => <Age at={addedAt} /> },
  {
    id: 'present',
    header: 'Now',
    widthPx: 150,
    phoneWidthPx: 118,
    whole: true,
    cell: ({ isPresent, isUnnamed }) =>
      isPresent ? (
        'in the product'
      ) : (
        <span className="dimmed">{isUnnamed ? 'no record names it' : 'gone'}</span>
      ),
  },
]

/** The affected versions and components; each links to the evidence of its match. */
export function AffectedTab({ incident }: { incident: IncidentDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { affected, affectedTotal, families } = incident
  return (
    <>
      <DataTable
        label="Affected versions and components"
        columns={columns}
        rows={affected}
        rowId={({ familyId, version, component, addedAt }) =>
          JSON.stringify([familyId, version, component, addedAt])
        }
        rowLink={({ findingId }) => (findingId === null ? undefined : pages.finding(slug, findingId))}
        empty={
          <Empty
            why={
              families.length === 0
                ? 'No product is named yet.'
                : 'No component of an active SBOM matches exactly. It was opened by hand.'
            }
          />
        }
      />
      {affectedTotal > affected.length ? (
        <Text c="dimmed" mt="xs">
          The first {formatCount(affected.length)} of {formatCount(affectedTotal)} are shown.
        </Text>
      ) : null}
      {incident.aliases.length === 0 ? null : (
        <Text c="dimmed" mt="md">
          Also known as <Foreign>{incident.aliases.join(', ')}</Foreign>
        </Text>
      )}
    </>
  )
}
