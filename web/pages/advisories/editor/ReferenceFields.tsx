import type { ReactNode } from 'react'
import type { AdvisoryContent } from '../../../../src/contract/advisories.ts'
import { ListField } from './ListField.tsx'
import { LineField } from './TextField.tsx'

type References = AdvisoryContent['references']
type Props = { field: string; references: References; onChange: (references: References) => void }

/** Links of the document or of one vulnerability. */
export function ReferenceFields({ field, references, onChange }: Props): ReactNode {
  return (
    <ListField
      field={field}
      label="References"
      noun="reference"
      entries={references}
      onChange={onChange}
      made={() => ({ summary: '', url: '' })}
    >
      {(reference, change, index) => (
        <>
          <LineField
            field={`${field}.${index}.summary`}
            label="Text"
            value={reference.summary}
            onChange={(summary) => {
              change({ ...reference, summary })
            }}
          />
          <LineField
            field={`${field}.${index}.url`}
            label="Address"
            placeholder="https://"
            value={reference.url}
            onChange={(url) => {
              change({ ...reference, url })
            }}
          />
        </>
      )}
    </ListField>
  )
}
