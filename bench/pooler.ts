import pg from 'pg'
import { openServerGroup, serviceRole } from '../test/reliability/scenarios/server-group.ts'
import { canTrack, hasPooler, startPooler, tracking } from '../test/support/pooler.ts'
import { startService } from '../test/support/service.ts'
import { cpuOfEach, cpuTimes } from './cpu.ts'
import { provisionTokens } from './laboratory.ts'
import { median, report, round, say } from './report.ts'
import { perRound, sendRound, tokensPerRound, untilAllMatched } from './small-uploads.ts'

const rounds = 3
const concurrency = 32

type Way = 'direct' | 'unnamed' | 'named'
const ways: Way[] = canTrack ? ['direct', 'unnamed', 'named'] : ['direct', 'unnamed']
type Round = { rate: number; cpu: Record<string, number> }

/**
 * 100-component uploads into one PostgreSQL: directly, through PgBouncer in transaction mode, and through it with statements that it tracks, in
 * turn. A PgBouncer that tracks none (1.20 and older) is measured without the third. TEST_PGBOUNCER names another program than the installed one.
 */
export async function benchPooler(): Promise<void> {
  if (!hasPooler) {
    say('pooler: skipped, PgBouncer is not installed')
    return
  }
  const group = await openServerGroup()
  try {
    const { port, database } = await group.startPrimary()
    const direct = `postgresql://${serviceRole}@127.0.0.1:${port}/${database}`
    const pooler = await startPooler({
      server: { connectionString: direct },
      mode: 'transaction',
      settings: canTrack ? tracking : {},
    })
    const lent = { DATABASE_URL: pooler.url(database), DATABASE_LISTEN_URL: direct }
    const environments: Record<Way, Record<string, string>> = {
      direct: { DATABASE_URL: direct },
      unnamed: { ...lent, DATABASE_POOLER: 'transaction' },
      named: { ...lent, DATABASE_POOLER: 'transaction', DATABASE_POOLER_STATEMENTS: 'tracked' },
    }
    const measured: Record<Way, Round[]> = { direct: [], unnamed: [], named: [] }
    try {
      // the first turn fills the database
      for (let turn = 0; turn <= rounds; turn += 1)
        for (const way of ways) {
          say(`${way}, turn ${turn}`)
          const found = await measure(environments[way], { direct, slug: `${way}-${turn}` })
          if (turn > 0) measured[way].push(found)
        }
    } finally {
      await pooler.close()
    }
    tell(measured)
  } finally {
    await group.close()
  }
}

function tell(measured: Record<Way, Round[]>): void {
  const rateOf = (way: Way) => median(measured[way].map(({ rate }) => rate))
  const cpuOf = (way: Way, part: string) => round(median(measured[way].map(({ cpu }) => cpu[part] ?? 0)))
  for (const way of ways)
    report({
      figure: `uploads_through_pooler_${way}`,
      value: rateOf(way),
      unit: 'uploads/s',
      runs: rounds,
      ratio: { of: 'direct uploads', value: round(rateOf(way) / rateOf('direct')) },
      detail: { storeCpuMs: cpuOf(way, 'storeCpuMs'), serviceCpuMs: cpuOf(way, 'serviceCpuMs') },
    })
}

let serial = 5_000_000

async function measure(
  env: Record<string, string>,
  { direct, slug }: { direct: string; slug: string },
): Promise<Round> {
  const service = await startService({ env: { ...env, LOG_LEVEL: 'error' }, readyWithinMs: 120_000 })
  const sql = new pg.Client({ connectionString: direct })
  await sql.connect()
  try {
    const send = async (part: string) => {
      const tokens = await provisionTokens(service, `${slug}-${part}`, tokensPerRound)
      serial += perRound
      const { ms } = await sendRound([service], { tokens, firstSerial: serial, concurrency })
      await untilAllMatched({ sql })
      return ms
    }
    // what a process compiles and plans first
    await send('first')
    const before = await cpuTimes({ service, sql })
    const ms = await send('second')
    const after = await cpuTimes({ service, sql })
    return { rate: perRound / (ms / 1000), cpu: cpuOfEach(before, after, perRound) }
  } finally {
    await sql.end()
    await service.stop()
  }
}
