import type { ReactNode } from 'react'
import type { SbomDetail } from '../../../src/contract/app.ts'
import { Facts } from '../../ui/Facts.tsx'
import { formatBytes, formatCount, formatShare } from '../../ui/format.ts'
import { Age } from '../../ui/Time.tsx'
import { coverageTotal } from './coverage.ts'
import { formatNames } from './format-names.ts'

export function SbomFacts({ sbom }: { sbom: SbomDetail }): ReactNode {
  return (
    <Facts
      facts={[
        { name: 'Format', value: `${formatNames[sbom.format]} ${sbom.specVersion}` },
        { name: 'Components', value: formatCount(sbom.components) },
        { name: 'Covered', value: formatShare(sbom.coverage.covered, coverageTotal(sbom.coverage)) },
        { name: 'Matched', value: sbom.matchedAt === null ? 'not yet' : <Age at={sbom.matchedAt} /> },
        { name: 'Size', value: formatBytes(sbom.sizeBytes) },
      ]}
    />
  )
}
