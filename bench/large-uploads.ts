import { gzipSync } from 'node:zlib'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { cpuOfEach, cpuTimes } from './cpu.ts'
import { importFindings } from './findings.ts'
import { upload, type Laboratory } from './laboratory.ts'
import { followMatching } from './matching-steps.ts'
import { median, report, round, say } from './report.ts'

const components = 50_000
const findings = components / 2
const runs = 3

type Sample = {
  /** From the first byte sent, as the others. */
  acceptedMs: number
  identitiesMs: number
  findingsMs: number
  matchedMs: number
  cpu: Record<string, number>
  walBytes: number
  storeBytes: number
  rows: number
}

/**
 * A 50 000-component SBOM whose identities nobody knows, half of them with a finding, then the next release of the product: a version of its
 * own with as many findings, 95 % of their components known to the family; and what of it is reading: the same file refused for
 * its last component.
 */
export async function benchLargeUploads(laboratory: Laboratory): Promise<void> {
  const bare: number[] = []
  const flat: number[] = []
  const refused: number[] = []
  const cold: Sample[] = []
  const known: Sample[] = []
  for (let run = 0; run < runs; run += 1) {
    say(`50 000 components, run ${run + 1} of ${runs}`)
    const offset = 10_000_000 + run * 200_000
    await importFindings(laboratory, { first: offset, count: components * 1.05, every: 2 })
    const [token = ''] = await laboratory.tokens(1)
    const first = sampleSbom({ components, serial: 1, offset, version: '1.0' })
    const next = sampleSbom({ components, serial: 2, offset: offset + components / 20, version: '1.1' })
    bare.push(await bareInsert(laboratory, first))
    flat.push(await flatInsert(laboratory, first))
    refused.push(await measureRefused(laboratory, token, first))
    cold.push(await measure(laboratory, token, first))
    known.push(await measure(laboratory, token, next))
  }
  report({ figure: 'bare_parse_and_insert_50000', value: median(bare), unit: 'ms', runs })
  report({ figure: 'flat_parse_and_insert_50000', value: median(flat), unit: 'ms', runs })
  report({ figure: 'sbom_50000_read_and_refused', value: median(refused), unit: 'ms', runs })
  const baselines = { bare: median(bare), flat: median(flat) }
  const reading = median(refused)
  const storing = reportSamples('sbom_50000_cold', cold, { baselines, reading })
  reportSamples('sbom_50000_95_percent_known', known, { baselines, reading, storing })
}

type Beside = {
  baselines: { bare: number; flat: number }
  /** Until a file of this size has been read. */
  reading: number
  /** What the cold upload took after that, until it was matched. */
  storing?: number
}

/** Returns how long storing and matching took: the time to `matched` without that of reading. */
function reportSamples(figure: string, samples: Sample[], { baselines, reading, storing }: Beside): number {
  const of = 'bare_parse_and_insert_50000'
  const accepted = median(samples.map(({ acceptedMs }) => acceptedMs))
  const matched = median(samples.map(({ matchedMs }) => matchedMs))
  report({
    figure: `${figure}_to_202`,
    value: accepted,
    unit: 'ms',
    runs,
    ratio: { of, value: round(accepted / baselines.bare) },
    detail: { ratioToFlat: round(accepted / baselines.flat) },
  })
  report({
    figure: `${figure}_to_matched`,
    value: matched,
    unit: 'ms',
    runs,
    ratio: { of, value: round(matched / baselines.bare) },
    detail: {
      ratioToFlat: round(matched / baselines.flat),
      findings,
      ...stepsOf(samples),
      rowsWritten: median(samples.map(({ rows }) => rows)),
      walBytes: median(samples.map(({ walBytes }) => walBytes)),
      storeBytes: median(samples.map(({ storeBytes }) => storeBytes)),
    },
  })
  const own = matched - reading
  report({
    figure: `${figure}_store_and_match`,
    value: own,
    unit: 'ms',
    runs,
    ...(storing === undefined
      ? {}
      : { ratio: { of: 'sbom_50000_cold_store_and_match', value: round(own / storing) } }),
  })
  return own
}

/** How long each step took: the upload until its answer, the matching of identities, the findings, and what is left until `matched`. */
function stepsOf(samples: readonly Sample[]): Record<string, unknown> {
  const step = (from: keyof Sample | null, to: keyof Sample) =>
    round(median(samples.map((sample) => Number(sample[to]) - (from === null ? 0 : Number(sample[from])))))
  return {
    to202Ms: step(null, 'acceptedMs'),
    matchingMs: step('acceptedMs', 'identitiesMs'),
    findingsMs: step('identitiesMs', 'findingsMs'),
    restMs: step('findingsMs', 'matchedMs'),
    ...samples.at(-1)?.cpu,
  }
}

async function measure(laboratory: Laboratory, token: string, body: Buffer): Promise<Sample> {
  const before = await storeState(laboratory)
  const cpuBefore = await cpuTimes(laboratory)
  const sent = gzipSync(body, { level: 6 })
  const startedAt = performance.now()
  const answer = await upload(laboratory.service, token, sent)
  if (answer.status !== 202) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  const steps = await followMatching(laboratory, answer.body.id, startedAt)
  if (steps.findings !== findings)
    throw new Error(`the version has ${steps.findings} findings, not ${findings}`)
  // A parser child that has read a large file gives way to a new one, and its time is gone with it.
  const { parserCpuMs: _, ...cpu } = cpuOfEach(cpuBefore, await cpuTimes(laboratory), 1)
  const after = await storeState(laboratory)
  return {
    acceptedMs: answer.ms,
    identitiesMs: Math.max(steps.identitiesMs, answer.ms),
    findingsMs: steps.findingsMs,
    matchedMs: steps.matchedMs,
    cpu,
    walBytes: after.wal - before.wal,
    storeBytes: after.size - before.size,
    rows: after.rows - before.rows,
  }
}

/** The same file with a last component that has no name: it is read to its end and refused with `invalid_sbom`. */
async function measureRefused(laboratory: Laboratory, token: string, body: Buffer): Promise<number> {
  const text = body.toString()
  const last = text.lastIndexOf('"name":')
  const sent = gzipSync(`${text.slice(0, last)}"nome":${text.slice(last + 7)}`, { level: 6 })
  const { status, ms } = await upload(laboratory.service, token, sent)
  if (status !== 400) throw new Error(`answered ${status}`)
  return ms
}

async function storeState({ sql }: Laboratory): Promise<{ wal: number; size: number; rows: number }> {
  const { rows } = await sql.query<{ wal: string; size: string; rows: string }>(`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal, pg_database_size(current_database()) as size,
      (select count(*) from component) + (select count(*) from component_identity) as rows`)
  const [state] = rows
  return { wal: Number(state?.wal), size: Number(state?.size), rows: Number(state?.rows) }
}

type Row = { place: number; component: SampleComponent }
type SampleComponent = {
  type: string
  name: string
  version: string
  purl: string
  hashes: { content: string }[]
}
type PlainColumn = { name: string; type: string; value: (row: Row) => string | number }

const key: PlainColumn = { name: 'number', type: 'bigint', value: ({ place }) => place }
const texts: PlainColumn[] = [
  { name: 'name', type: 'text', value: ({ component }) => component.name },
  { name: 'version', type: 'text', value: ({ component }) => component.version },
  { name: 'purl', type: 'text', value: ({ component }) => component.purl },
  { name: 'licence', type: 'text', value: () => 'MIT' },
]

/** What any solution must do at least: parse the JSON and insert its rows into a bare table with a key, set by set. */
async function bareInsert(laboratory: Laboratory, body: Buffer): Promise<number> {
  return parseAndInsert(laboratory, { table: 'bench_bare', columns: [key, ...texts], indexes: [], body })
}

/** The same into a table that can be asked which SBOMs have a component: seven columns, a key and two indexes. */
async function flatInsert(laboratory: Laboratory, body: Buffer): Promise<number> {
  const type: PlainColumn = { name: 'type', type: 'text', value: ({ component }) => component.type }
  const hash: PlainColumn = {
    name: 'hash',
    type: 'text',
    value: ({ component }) => component.hashes[0]?.content ?? '',
  }
  const columns = [key, ...texts, type, hash]
  return parseAndInsert(laboratory, { table: 'bench_flat', columns, indexes: ['purl', 'hash'], body })
}

type Plain = {
  table: string
  columns: readonly PlainColumn[]
  indexes: readonly string[]
  body: Buffer
}

async function parseAndInsert(
  { sql }: Laboratory,
  { table, columns, indexes, body }: Plain,
): Promise<number> {
  const definition = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  await sql.query(
    `drop table if exists ${table}; create table ${table} (${definition}, primary key (number))`,
  )
  for (const column of indexes) await sql.query(`create index on ${table} (${column})`)
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')
  const startedAt = performance.now()
  const document = JSON.parse(body.toString()) as { components: SampleComponent[] }
  const rows = document.components.map((component, place) => ({ place, component }))
  await sql.query('begin')
  for (let at = 0; at < rows.length; at += 5_000) {
    const chunk = rows.slice(at, at + 5_000)
    await sql.query(
      `insert into ${table} select * from unnest(${arrays})`,
      columns.map(({ value }) => chunk.map(value)),
    )
  }
  await sql.query('commit')
  return performance.now() - startedAt
}
