import { answer, operation } from '../operation.ts'
import { Metrics, metricsPeriods } from './shapes.ts'

/** Of all families in use, or of one. Without a period: 90 days. */
export const getMetrics = operation({
  method: 'GET',
  path: '/workspaces/:slug/metrics',
  permission: 'any_member',
  query: { family: 'id', days: metricsPeriods },
  answer: answer(Metrics),
})
