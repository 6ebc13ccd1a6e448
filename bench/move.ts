import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKeyText } from '../src/platform/sealing/key-ring.ts'
import { startRealService, type RealService } from '../test/support/real-service.ts'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { openBucket } from './objects.ts'
import { report, round, say } from './report.ts'
import { sendAll } from './small-uploads.ts'

/** SBOMs of so many components, a tenth of each new to its family. */
const versions = Number(process.env['BENCH_VERSIONS'] ?? 20)
const size = { families: 50, versions, components: 2_000 }
const first = 70_000_000
const main = join(import.meta.dirname, '../src/main.ts')

/** A workspace moves from one installation to another, each with an object store: time, memory of the command, and size of the archive. */
export async function benchMove(): Promise<void> {
  const bucket = await openBucket()
  const folder = await mkdtemp(join(tmpdir(), 'bench-move-'))
  const source = await startRealService({ families: size.families, env: bucket.env })
  const elsewhere = { OBJECT_STORE_URL: `${bucket.env['OBJECT_STORE_URL'] ?? ''}-target` }
  const target = await startRealService({ families: 1, env: { ...bucket.env, ...elsewhere } })
  try {
    await writeFile(join(folder, 'move.key'), newKeyText())
    say(`a workspace of ${size.families * versions} SBOMs of ${size.components} components (${bucket.name})`)
    await fill(source)
    const words = ['acme.archive', '--key', 'move.key']
    const away = await run(source, folder, ['export', 'acme', '--to', ...words])
    const { size: bytes } = await stat(join(folder, 'acme.archive'))
    const [held] = await source.query('select pg_database_size(current_database()) as bytes')
    const of = { sboms: size.families * versions, components: size.components, bucket: bucket.name }
    report({
      figure: 'workspace_export',
      value: away.seconds,
      unit: 's',
      runs: 1,
      detail: { ...of, peakMb: away.peakMb, archiveMb: mb(bytes), databaseMb: mb(Number(held?.['bytes'])) },
    })
    const here = await run(target, folder, ['import', ...words, '--slug', 'moved'])
    report({
      figure: 'workspace_import',
      value: here.seconds,
      unit: 's',
      runs: 1,
      detail: { ...of, peakMb: here.peakMb, originals: here.printed['originals'] },
    })
  } finally {
    await source.close()
    await target.close()
    await bucket.stop()
    await rm(folder, { recursive: true })
  }
}

const mb = (bytes: number) => round(bytes / 1e6)

async function fill(source: RealService): Promise<void> {
  for (let version = 0; version < versions; version += 1) {
    const bodies = source.tokens.map((_, family) =>
      sampleSbom({
        components: size.components,
        serial: first + version * size.families + family,
        offset: first + family * size.components * 4 + (version * size.components) / 10,
        version: `${version}.0.0`,
      }),
    )
    await sendAll([source.service], { bodies, tokens: source.tokens, concurrency: 4 })
  }
  for (;;) {
    const [waiting] = await source.query(
      `select count(*)::int as jobs from job where state in ('waiting', 'running')`,
    )
    if (waiting?.['jobs'] === 0) return
    await sleep(1_000)
  }
}

type Ran = { seconds: number; peakMb: number; printed: Record<string, unknown> }

/** The command in a process of its own, as an operator runs it. */
async function run({ service }: RealService, folder: string, words: string[]): Promise<Ran> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [main, 'workspace', ...words], {
    cwd: folder,
    env: service.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  let peakMb = 0
  const looking = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid ?? 0))), 100)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(looking)
  if (code !== 0) throw new Error(`workspace ${words[0] ?? ''} ended with ${String(code)}`)
  const printed = JSON.parse(said) as Record<string, unknown>
  return { seconds: (performance.now() - startedAt) / 1_000, peakMb, printed }
}

/** Resident at most, in MB; proc(5). */
function peakOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}
