import { appOperations } from './app/operations.ts'
import { dependencyTrackSchema } from './public/dependency-track-schema.ts'
import { receiveDependencyTrack } from './public/dependency-track.ts'
import { docsPage, openapiDocument } from './docs/docs.ts'
import { getMetrics } from './get-metrics.ts'
import { getSbomResult } from './public/get-sbom-result.ts'
import { healthz, readyz } from './health.ts'
import type { Operation } from './operation.ts'
import { getSbomResultSchema, uploadSbomSchema } from './public/public-schemas.ts'
import { uploadSbom } from './public/upload-sbom.ts'
import { uploadVexSchema } from './public/upload-vex-schema.ts'
import { uploadVex } from './public/upload-vex.ts'

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  {
    method: 'POST',
    url: '/api/v1/sboms',
    credential: 'upload_token',
    body: 'raw',
    handler: uploadSbom,
    schema: uploadSbomSchema,
  },
  {
    method: 'GET',
    url: '/api/v1/sboms/:id',
    credential: 'results_token',
    body: 'none',
    handler: getSbomResult,
    schema: getSbomResultSchema,
  },
  {
    method: 'POST',
    url: '/api/v1/vex',
    credential: 'upload_token',
    body: 'raw',
    handler: uploadVex,
    schema: uploadVexSchema,
  },
  {
    method: 'POST',
    url: '/api/v1/connectors/dependency-track',
    credential: 'upload_token',
    body: 'raw',
    handler: receiveDependencyTrack,
    schema: dependencyTrackSchema,
  },
  { method: 'GET', url: '/api/v1/openapi.json', credential: 'none', body: 'none', handler: openapiDocument },
  { method: 'GET', url: '/docs', credential: 'none', body: 'none', handler: docsPage },
  { method: 'GET', url: '/healthz', credential: 'none', body: 'none', handler: healthz },
  { method: 'GET', url: '/readyz', credential: 'none', body: 'none', handler: readyz },
  { method: 'GET', url: '/metrics', credential: 'metrics_token', body: 'none', handler: getMetrics },
  ...appOperations,
]
