import { runLargeUploads } from '../test/reliability/scenarios/large-uploads.ts'
import type { Laboratory } from './laboratory.ts'
import { report, round, say } from './report.ts'

const uploads = 8

/** Small requests, one every 5 ms whatever the answers do, while eight files of just under 50 MB are read at once. */
export async function benchLatency(laboratory: Laboratory): Promise<void> {
  say('eight uploads of 50 MB while small requests go on')
  const tokens = await laboratory.tokens(uploads)
  const { figures, failures } = await runLargeUploads({ service: laboratory.service, tokens, rounds: 1 })
  if (failures.length > 0) throw new Error(failures.join('; '))
  const { smallRequestP99Ms = 0, smallRequests = 0, ...detail } = figures
  report({
    figure: 'small_request_p99_during_8x50MB',
    value: smallRequestP99Ms,
    unit: 'ms',
    runs: smallRequests,
    detail: Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, round(value)])),
  })
}
