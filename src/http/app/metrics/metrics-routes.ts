import * as contract from '../../../contract/operations/metrics.ts'
import { describeMetrics } from '../../../views/metrics/describe-metrics.ts'
import { routesOf } from '../routing/handle.ts'

/** How the products did over time. */
export const metricsRoutes = routesOf(contract, {
  getMetrics: ({ workspaceId, workspace, query, now, deps }) =>
    describeMetrics(
      deps.db,
      {
        workspaceId,
        familyId: query.family ?? null,
        timeZone: workspace.time_zone,
        days: Number(query.days ?? '90'),
      },
      now,
    ),
})
