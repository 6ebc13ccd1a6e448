import * as contract from '../../contract/metrics/operations.ts'
import { describeMetrics } from '../../metrics/reads/describe-metrics.ts'
import { routesOf } from './routing/handle.ts'

export const metricsRoutes = routesOf(contract, {
  getMetrics: ({ workspaceId, workspace, query, now, seen, deps }) => {
    const days = Number(query.days ?? '90')
    const scope = { workspaceId, familyId: query.family ?? null, timeZone: workspace.time_zone, days }
    return deps.reads.read({ seen }, (db) => describeMetrics(db, scope, now))
  },
})
