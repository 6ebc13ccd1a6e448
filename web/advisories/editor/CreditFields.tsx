import type { ReactNode } from 'react'
import type { AdvisoryContent } from '#contract/advisories/shapes.ts'
import { RowsField } from './RowsField.tsx'
import { LineField } from './TextField.tsx'

type Credits = AdvisoryContent['acknowledgments']
type Props = { field: string; label: string; credits: Credits; onChange: (credits: Credits) => void }

/** The people credited by the advisory or by one of its vulnerabilities. */
export function CreditFields({ field, label, credits, onChange }: Props): ReactNode {
  return (
    <RowsField
      field={field}
      label={label}
      noun="credit"
      columns={[{ name: 'Name' }, { name: 'Organisation' }, { name: 'Link', phoneSpan: 2 }]}
      grid="repeat(3, minmax(0, 1fr))"
      entries={credits}
      onChange={onChange}
      made={() => ({ names: [''], organization: '', summary: '', urls: [] })}
      cells={(credit, change, index) => [
        <LineField
          key="name"
          field={`${field}.${index}`}
          label="Name"
          isCell
          value={credit.names[0] ?? ''}
          onChange={(name) => {
            change({ ...credit, names: [name, ...credit.names.slice(1)] })
          }}
        />,
        <LineField
          key="organisation"
          field={`${field}.${index}.organization`}
          label="Organisation"
          isCell
          value={credit.organization}
          onChange={(organization) => {
            change({ ...credit, organization })
          }}
        />,
        <LineField
          key="link"
          field={`${field}.${index}.urls.0`}
          label="Link"
          isCell
          placeholder="https://"
          value={credit.urls[0] ?? ''}
          onChange={(url) => {
            change({ ...credit, urls: [url, ...credit.urls.slice(1)].filter((one) => one !== '') })
          }}
        />,
      ]}
    />
  )
}
