import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  remediationCategories,
  restartCategories,
  type DraftProduct,
  type DraftVulnerability,
  type RemediationCategory,
  type RestartCategory,
} from '#contract/advisories/shapes.ts'
import { RowsField } from './RowsField.tsx'
import { LineField, TextField } from './TextField.tsx'
import { VersionsSelect } from './VersionsSelect.tsx'

type Remediations = DraftVulnerability['remediations']
type Remediation = Remediations[number]

type Props = {
  /** Path of the remediations in the draft. */
  field: string
  /** The versions that have a status. */
  products: readonly DraftProduct[]
  /** The affected ones: the default of a new remediation. */
  affected: readonly string[]
  remediations: Remediations
  onChange: (remediations: Remediations) => void
}

const categoryWords: Record<RemediationCategory, string> = {
  vendor_fix: 'Fix',
  mitigation: 'Mitigation',
  workaround: 'Workaround',
  no_fix_planned: 'No fix is planned',
  none_available: 'No fix is available yet',
}

const restartWords: Record<RestartCategory, string> = {
  none: 'No restart',
  vulnerable_component: 'Restart the component',
  service: 'Restart the service',
  parent: 'Restart the program that runs it',
  dependencies: 'Restart it and what depends on it',
  connected: 'Restart it and what is connected',
  system: 'Restart the operating system',
  machine: 'Restart the machine',
  zone: 'Restart every machine of the zone',
}

/** What users of affected versions can do. */
export function RemediationFields({ field, products, affected, remediations, onChange }: Props): ReactNode {
  return (
    <RowsField
      field={field}
      label="Remediations"
      noun="remediation"
      columns={[
        { name: 'Kind' },
        { name: 'Since' },
        { name: 'Restart' },
        { name: 'For' },
        { name: 'What to do', span: 3, phoneSpan: 2 },
        { name: 'Address', phoneSpan: 2 },
      ]}
      grid="minmax(0, 3fr) minmax(0, 2fr) minmax(0, 3fr) minmax(0, 4fr)"
      entries={remediations}
      onChange={onChange}
      made={(): Remediation => ({
        category: 'vendor_fix',
        details: '',
        url: '',
        versionIds: [...affected],
      })}
      cells={(remediation, change, index) =>
        cellsOf({ field: `${field}.${index}`, remediation, onChange: change }, { products, affected })
      }
    />
  )
}

/** A cell for each column. */
function cellsOf(row: CellProps, { products, affected }: Pick<Props, 'products' | 'affected'>): ReactNode[] {
  const { field, remediation, onChange } = row
  return [
    <KindCell key="kind" {...row} />,
    <LineField
      key="since"
      field={`${field}.date`}
      label="Since"
      isCell
      placeholder="2026-01-31"
      value={remediation.date ?? ''}
      onChange={(date) => {
        onChange({ ...remediation, date })
      }}
    />,
    <RestartCell key="restart" {...row} />,
    <VersionsSelect
      key="for"
      field={`${field}.versionIds`}
      products={products}
      affected={affected}
      value={remediation.versionIds}
      placeholder="Pick versions"
      onChange={(versionIds) => {
        onChange({ ...remediation, versionIds })
      }}
    />,
    <TextField
      key="details"
      field={`${field}.details`}
      label="What to do"
      isCell
      value={remediation.details}
      onChange={(details) => {
        onChange({ ...remediation, details })
      }}
    />,
    <LineField
      key="address"
      field={`${field}.url`}
      label="Address"
      isCell
      placeholder="https://"
      value={remediation.url}
      onChange={(url) => {
        onChange({ ...remediation, url })
      }}
    />,
  ]
}

type CellProps = { field: string; remediation: Remediation; onChange: (remediation: Remediation) => void }

function KindCell({ remediation, onChange }: CellProps): ReactNode {
  return (
    <NativeSelect
      aria-label="Kind"
      size="xs"
      value={remediation.category}
      data={remediationCategories.map((value) => ({ value, label: categoryWords[value] }))}
      onChange={(event) => {
        const category = remediationCategories.find((one) => one === event.currentTarget.value)
        if (category !== undefined) onChange({ ...remediation, category })
      }}
    />
  )
}

function RestartCell({ remediation, onChange }: CellProps): ReactNode {
  return (
    <NativeSelect
      aria-label="Restart"
      size="xs"
      value={remediation.restart ?? ''}
      data={[
        { value: '', label: 'Not stated' },
        ...restartCategories.map((value) => ({ value, label: restartWords[value] })),
      ]}
      onChange={(event) => {
        const restart = restartCategories.find((one) => one === event.currentTarget.value) ?? null
        onChange({ ...remediation, restart })
      }}
    />
  )
}
