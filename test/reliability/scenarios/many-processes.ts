import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService, type Service } from '../../support/service.ts'
import type { HistoryFigures } from '../../support/upload-history.ts'
import { startWorkProcess } from '../../support/work-process.ts'
import { openEmbeddedLab, type DisturbedStore } from './store-lab.ts'
import { provisionTokens, startUploads } from './upload-load.ts'

export type ManyProcessesOrder = {
  serve: number
  work: number
  /** Parallel uploads, spread over the HTTP processes. */
  senders: number
  /** How often `vulnerabilities import` runs besides. */
  imports: number
}

export type ManyProcessesFigures = HistoryFigures & {
  answers: Record<string, number>
  badAnswers: string[]
  /** The failed imports' standard error. */
  failedImports: string[]
  maxSessions: number
}

const patienceMs = 120_000

/** Several HTTP and work processes on one embedded store, under uploads and imports: nobody is refused a session. */
export async function runManyProcesses(order: ManyProcessesOrder): Promise<ManyProcessesFigures> {
  const store = await openEmbeddedLab()
  const env = { ...store.env, LOG_LEVEL: 'error' }
  const serving: Service[] = []
  const stops: (() => Promise<void>)[] = []
  try {
    for (let index = 0; index < order.serve; index += 1) {
      const service = await startService({ env, role: 'serve', readyWithinMs: patienceMs })
      serving.push(service)
      stops.push(service.stop)
    }
    for (let index = 0; index < order.work; index += 1) stops.push(startWorkProcess(env).stop)
    return await upload(store, serving, order)
  } finally {
    await Promise.all(stops.map((stop) => stop()))
    await store.close()
  }
}

async function upload(
  store: DisturbedStore,
  serving: Service[],
  { senders, imports }: ManyProcessesOrder,
): Promise<ManyProcessesFigures> {
  const [first] = serving
  if (first === undefined) throw new Error('no HTTP process')
  const tokens = await provisionTokens(first, 2_000 + 400 * imports)
  const load = startUploads({ baseUrls: serving.map(({ baseUrl }) => baseUrl), tokens, senders })
  let maxSessions = 0
  const failedImports: string[] = []
  await load.untilAcknowledged(patienceMs)
  for (let turn = 0; turn < Math.max(1, imports); turn += 1) {
    if (turn < imports) failedImports.push(...(await importRecords(first, turn)))
    await load.untilAcknowledged(patienceMs)
    maxSessions = Math.max(maxSessions, await countSessions(store))
  }
  await load.stop()
  const { history } = load
  const figures = await history.compare(store.query)
  const answers = Object.fromEntries(history.answers)
  return { ...figures, answers, badAnswers: history.badAnswers, failedImports, maxSessions }
}

async function importRecords(service: Service, turn: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-import-'))
  try {
    const file = join(folder, 'records.ndjson')
    const record = (index: number) =>
      JSON.stringify({
        id: `TEST-${turn}-${index}`,
        modified: '2026-01-01T00:00:00Z',
        affected: [
          {
            package: { ecosystem: 'npm', name: `package-${index}` },
            ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '9.0.0' }] }],
          },
        ],
      })
    await writeFile(file, Array.from({ length: 500 }, (_, index) => record(index)).join('\n'))
    await service.cli(['vulnerabilities', 'import', file])
    return []
  } catch (error) {
    return [String(error)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function countSessions(store: DisturbedStore): Promise<number> {
  const [row] = await store.query(
    `select count(*)::int as count from pg_stat_activity where application_name like 'sbom-monitor%'`,
  )
  return Number(row?.['count'])
}
