import type { ReactNode } from 'react'
import type { AdvisoryContent } from '#contract/advisories/shapes.ts'
import { RowsField } from './RowsField.tsx'
import { LineField } from './TextField.tsx'

type References = AdvisoryContent['references']
type Props = { field: string; references: References; onChange: (references: References) => void }

/** Links of the document or of one vulnerability. */
export function ReferenceFields({ field, references, onChange }: Props): ReactNode {
  return (
    <RowsField
      field={field}
      label="References"
      noun="reference"
      columns={[{ name: 'Text' }, { name: 'Address' }]}
      grid="minmax(0, 1fr) minmax(0, 2fr)"
      entries={references}
      onChange={onChange}
      made={() => ({ summary: '', url: '' })}
      cells={(reference, change, index) => [
        <LineField
          key="text"
          field={`${field}.${index}.summary`}
          label="Text"
          isCell
          value={reference.summary}
          onChange={(summary) => {
            change({ ...reference, summary })
          }}
        />,
        <LineField
          key="address"
          field={`${field}.${index}.url`}
          label="Address"
          isCell
          placeholder="https://"
          value={reference.url}
          onChange={(url) => {
            change({ ...reference, url })
          }}
        />,
      ]}
    />
  )
}
