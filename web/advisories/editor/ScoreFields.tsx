import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DraftProduct, DraftVulnerability } from '#contract/advisories/shapes.ts'
import { RowsField } from './RowsField.tsx'
import { LineField } from './TextField.tsx'
import { VersionsSelect } from './VersionsSelect.tsx'

type Scores = NonNullable<DraftVulnerability['scores']>
type Props = {
  field: string
  products: readonly DraftProduct[]
  /** The affected ones. */
  affected: readonly string[]
  scores: Scores
  onChange: (scores: Scores) => void
}

/** The severity of a vulnerability, by version. */
export function ScoreFields({ field, products, affected, scores, onChange }: Props): ReactNode {
  return (
    <>
      <RowsField
        field={field}
        label="CVSS scores"
        description="Vectors of CVSS 2.0, 3.0 or 3.1. Version 4 is left out: CSAF 2.0 has no field for it."
        noun="score"
        columns={[
          { name: 'Vector', phoneSpan: 2 },
          { name: 'For', phoneSpan: 2 },
        ]}
        grid="minmax(0, 3fr) minmax(0, 2fr)"
        entries={scores}
        onChange={onChange}
        made={() => ({ vector: '', versionIds: [] })}
        cells={(score, change, index) => [
          <LineField
            key="vector"
            field={`${field}.${index}.vector`}
            label="Vector"
            isCell
            placeholder="CVSS:3.1/AV:N/AC:L/…"
            value={score.vector}
            onChange={(vector) => {
              change({ ...score, vector })
            }}
          />,
          <VersionsSelect
            key="for"
            field={`${field}.${index}.versionIds`}
            products={products}
            affected={affected}
            value={score.versionIds}
            placeholder="Every affected version"
            onChange={(versionIds) => {
              change({ ...score, versionIds })
            }}
          />,
        ]}
      />
      {scores.length > 0 && products.length === 0 ? (
        <Text size="xs" c="dimmed">
          No version has a status yet: a score is written for versions only.
        </Text>
      ) : null}
    </>
  )
}
