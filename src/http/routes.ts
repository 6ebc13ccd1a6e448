import { appOperations } from './app/operations.ts'
import { apiDocs } from '../docs-site/docs.ts'
import { guideImage, guidePage } from '../docs-site/guides.ts'
import { receiveBillingEvent } from './billing-events.ts'
import { docsIndex } from '../docs-site/index-page.ts'
import { docsAsset, searchIndex, searchPage } from '../docs-site/search.ts'
import { getMetrics } from './get-metrics.ts'
import { healthz, readyz } from './health.ts'
import type { Operation } from './operation.ts'
import { publicExamples, publicRoutes } from './public/all.ts'

const { openapiDocument, apiPage } = apiDocs(publicExamples)

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  ...publicRoutes,
  { method: 'GET', url: '/api/v1/openapi.json', credential: 'none', body: 'none', handler: openapiDocument },
  { method: 'GET', url: '/docs', credential: 'none', body: 'none', handler: docsIndex },
  { method: 'GET', url: '/docs/api', credential: 'none', body: 'none', handler: apiPage },
  { method: 'GET', url: '/docs/search', credential: 'none', body: 'none', handler: searchPage },
  { method: 'GET', url: '/docs/search.json', credential: 'none', body: 'none', handler: searchIndex },
  { method: 'GET', url: '/docs/images/:file', credential: 'none', body: 'none', handler: guideImage },
  { method: 'GET', url: '/docs/assets/:file', credential: 'none', body: 'none', handler: docsAsset },
  {
    method: 'POST',
    url: '/api/billing/stripe-events',
    credential: 'none',
    body: 'raw',
    handler: receiveBillingEvent,
  },
  { method: 'GET', url: '/docs/:name', credential: 'none', body: 'none', handler: guidePage },
  { method: 'GET', url: '/healthz', credential: 'none', body: 'none', handler: healthz },
  { method: 'GET', url: '/readyz', credential: 'none', body: 'none', handler: readyz },
  { method: 'GET', url: '/metrics', credential: 'metrics_token', body: 'none', handler: getMetrics },
  ...appOperations,
]
