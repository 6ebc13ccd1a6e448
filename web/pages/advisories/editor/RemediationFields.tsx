import { MultiSelect, NativeSelect, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import {
  remediationCategories,
  type DraftProduct,
  type DraftVulnerability,
  type RemediationCategory,
} from '../../../../src/contract/advisories.ts'
import { fieldId, useProblem } from './fields.ts'
import { ListField } from './ListField.tsx'
import { LineField, TextField } from './TextField.tsx'

type Remediations = DraftVulnerability['remediations']
type Remediation = Remediations[number]

type Props = {
  /** Path of the remediations in the draft. */
  field: string
  /** The versions that have a status. */
  products: readonly DraftProduct[]
  /** Those that are affected: what a new remediation is for. */
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

/** What users of affected versions can do. */
export function RemediationFields({ field, products, affected, remediations, onChange }: Props): ReactNode {
  return (
    <ListField
      field={field}
      label="Remediations"
      noun="remediation"
      entries={remediations}
      onChange={onChange}
      made={(): Remediation => ({
        category: 'vendor_fix',
        details: '',
        url: '',
        versionIds: [...affected],
      })}
    >
      {(remediation, change, index) => (
        <RemediationField
          field={`${field}.${index}`}
          products={products}
          remediation={remediation}
          onChange={change}
        />
      )}
    </ListField>
  )
}

type FieldProps = {
  field: string
  products: readonly DraftProduct[]
  remediation: Remediation
  onChange: (remediation: Remediation) => void
}

function RemediationField({ field, products, remediation, onChange }: FieldProps): ReactNode {
  const versionsProblem = useProblem(`${field}.versionIds`)
  return (
    <Stack gap="xs" flex={1}>
      <NativeSelect
        label="Kind"
        value={remediation.category}
        data={remediationCategories.map((value) => ({ value, label: categoryWords[value] }))}
        onChange={(event) => {
          const category = remediationCategories.find((one) => one === event.currentTarget.value)
          if (category !== undefined) onChange({ ...remediation, category })
        }}
      />
      <TextField
        field={`${field}.details`}
        label="What to do"
        value={remediation.details}
        onChange={(details) => {
          onChange({ ...remediation, details })
        }}
      />
      <LineField
        field={`${field}.url`}
        label="Address"
        placeholder="https://"
        value={remediation.url}
        onChange={(url) => {
          onChange({ ...remediation, url })
        }}
      />
      <MultiSelect
        id={fieldId(`${field}.versionIds`)}
        label="For"
        error={versionsProblem}
        value={remediation.versionIds}
        data={products.map(({ versionId, family, version }) => ({
          value: versionId,
          label: visibleText(`${family} ${version}`),
        }))}
        onChange={(versionIds) => {
          onChange({ ...remediation, versionIds })
        }}
      />
    </Stack>
  )
}
