import type { SbomRow } from '../../../src/contract/sbom/rows.ts'

export const formatNames: Record<SbomRow['format'], string> = { cyclonedx: 'CycloneDX', spdx: 'SPDX' }
