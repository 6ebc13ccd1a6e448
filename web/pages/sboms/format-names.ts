import type { SbomRow } from '../../../src/contract/app.ts'

export const formatNames: Record<SbomRow['format'], string> = { cyclonedx: 'CycloneDX', spdx: 'SPDX' }
