import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { Facts } from '../kit/page/Facts.tsx'
import { formatBytes, formatCount, formatNoun, formatShare } from '../kit/text/format.ts'
import { Age } from '../kit/time/Time.tsx'
import { coverageTotal } from '#contract/sbom/shapes.ts'
import { formatNames } from './format-names.ts'

/** A file may list a component several times; it counts once everywhere. */
function Components({ sbom }: { sbom: SbomDetail }): ReactNode {
  const distinct = coverageTotal(sbom.coverage)
  if (distinct === sbom.components) return formatCount(distinct)
  return (
    <>
      {formatCount(distinct)}{' '}
      <span className="dimmed">in {formatNoun(sbom.components, 'entry', 'entries')}</span>
    </>
  )
}

export function SbomFacts({ sbom }: { sbom: SbomDetail }): ReactNode {
  return (
    <Facts
      facts={[
        { name: 'Format', value: `${formatNames[sbom.format]} ${sbom.specVersion}` },
        { name: 'Components', value: <Components sbom={sbom} /> },
        { name: 'Covered', value: formatShare(sbom.coverage.covered, coverageTotal(sbom.coverage)) },
        { name: 'Matched', value: sbom.matchedAt === null ? 'not yet' : <Age at={sbom.matchedAt} /> },
        { name: 'Size', value: formatBytes(sbom.sizeBytes) },
      ]}
    />
  )
}
