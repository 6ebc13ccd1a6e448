import type { SbomRow } from '#contract/sbom/rows.ts'

export const formatNames: Record<SbomRow['format'], string> = { cyclonedx: 'CycloneDX', spdx: 'SPDX' }
