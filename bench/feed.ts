import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import type { AdvisoryContent } from '../src/contract/advisories/shapes.ts'
import { Writer, sampleContent, sampleVulnerability } from '../test/support/advisory-scene.ts'
import { AppSession } from '../test/support/app-session.ts'
import { sampleSbom } from '../test/support/sample-sbom.ts'
import { freePort } from '../test/support/free-port.ts'
import { startService } from '../test/support/service.ts'
import { upload, type Laboratory } from './laboratory.ts'
import { report, round, say } from './report.ts'

const documents = Number(process.env['BENCH_ADVISORIES'] ?? 1_000)
const connections = 64
const seconds = 5
const slug = 'feed'
const person = { email: 'owner@feed.example', password: 'a long enough password' }
/** The server on one core, the load on the other. */
const cores = { server: '0', load: '1' }

type Kind = 'plain' | 'gzip' | 'not_modified'
type Rates = Map<string, { rate: number; p99Ms: number }>

/**
 * The public feed beside nginx and a bare Node server with the same files: one `serve`, one nginx worker and that server in turn, each on
 * one core, the load on the other, plain HTTP, 64 connections that stay. Skipped where nginx, wrk or taskset is not installed.
 */
export async function benchFeed(laboratory: Laboratory): Promise<void> {
  const missing = ['nginx', 'wrk', 'taskset'].filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) {
    say(`the feed is not compared: ${missing.join(', ')} not installed`)
    return
  }
  say(`publishing ${documents} advisories`)
  const paths = await publish(laboratory)
  const { databaseUrl } = await laboratory.service.cli<{ databaseUrl: string }>(['store'])
  const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' }
  const serving = await startService({ env, role: 'serve' })
  spawnSync('taskset', ['-a', '-p', '-c', cores.server, String(serving.pid())])
  const files = await download(serving.baseUrl, paths)
  const ours = await measure(laboratory, serving.baseUrl, paths)
  await serving.stop()
  const root = await writeFiles(laboratory, files)
  const theirs = await measureOther(laboratory, paths, (port) => startNginx(laboratory, { root, port }))
  const bare = await measureOther(laboratory, paths, (port) => startBare({ root, port }))
  const documentBytes = [...files.values()][0]?.length ?? 0
  for (const [figure, { rate, p99Ms }] of ours) {
    const other = theirs.get(figure)
    const bareNode = bare.get(figure)?.rate ?? Number.NaN
    report({
      figure,
      value: rate,
      unit: 'requests/s',
      runs: 1,
      ratio: { of: 'nginx', value: round(rate / (other?.rate ?? Number.NaN)) },
      detail: {
        documentBytes,
        p99Ms,
        nginx: round(other?.rate ?? 0),
        nginxP99Ms: other?.p99Ms ?? 0,
        bareNode: round(bareNode),
        ratioToBareNode: round(rate / bareNode),
      },
    })
  }
}

/** Documents of about 50 kB; returns their paths. */
async function publish({ service, sql, tokens }: Laboratory): Promise<string[]> {
  await tokens(1)
  const answer = await service.cli<{
    workspaces: { id: string; families: { id: string; tokens: { token: string }[] }[] }[]
  }>(['provision'], {
    workspaces: [
      {
        slug,
        companyName: 'Feed',
        securityContactEmail: 'bench@example.com',
        plan: 'plus',
        members: [{ ...person, name: 'Owner', role: 'owner' }],
        families: [{ name: 'Pump', tokens: [{ name: 'bench' }] }],
      },
    ],
  })
  const workspace = answer.workspaces[0]
  const family = workspace?.families[0]
  await upload(
    service,
    family?.tokens[0]?.token ?? '',
    sampleSbom({ components: 1, serial: 1, version: '1.0' }),
  )
  const { rows } = await sql.query<{ id: string }>('select id from product_version where family_id = $1', [
    family?.id,
  ])
  const product = { versionId: rows[0]?.id ?? '', familyId: family?.id ?? '', family: 'Pump', version: '1.0' }
  const owner = await AppSession.signIn(service.baseUrl, person)
  const writer = new Writer({ owner })
  const paths: string[] = []
  for (let number = 0; number < documents; number += 1) await writer.release(longContent(product, number))
  const changes = await request(`${service.baseUrl}/csaf/${slug}/white/changes.csv`)
  for (const line of (await changes.body.text()).split('\n')) {
    const path = /^"([^"]+)"/.exec(line)?.[1]
    if (path !== undefined) paths.push(`/csaf/${slug}/white/${path}`)
  }
  return paths
}

function longContent(product: Parameters<typeof sampleContent>[0][number], number: number): AdvisoryContent {
  const content = sampleContent([product], `Overflow ${number}`)
  const description = 'A long header is written past its buffer. '.repeat(35)
  const vulnerabilities = Array.from({ length: 15 }, (_, index) => {
    const one = sampleVulnerability([product], `CVE-2026-${10_000 + number * 15 + index}`)
    return { ...one, description, statuses: one.statuses.slice(0, 1) }
  })
  return { ...content, vulnerabilities }
}

async function measure({ folder }: Laboratory, url: string, paths: readonly string[]): Promise<Rates> {
  const perSecond: Rates = new Map()
  for (const kind of ['plain', 'gzip', 'not_modified'] as const) {
    for (const asked of [paths.slice(0, 1), paths]) {
      const script = join(folder, 'requests.lua')
      await writeFile(script, await scriptOf(url, asked, kind))
      // the first seconds fill what is kept in memory
      await load(url, script, 2)
      perSecond.set(`feed_${kind}_${asked.length}`, await load(url, script, seconds))
    }
  }
  return perSecond
}

async function scriptOf(url: string, paths: readonly string[], kind: Kind): Promise<string> {
  const requests: string[] = []
  for (const path of paths) {
    const headers = kind === 'gzip' ? ['["Accept-Encoding"] = "gzip"'] : []
    if (kind === 'not_modified') {
      const { headers: answered, body } = await request(`${url}${path}`)
      await body.dump()
      headers.push(`["If-None-Match"] = ${JSON.stringify(answered['etag'])}`)
    }
    requests.push(`wrk.format("GET", "${path}", {${headers.join(', ')}})`)
  }
  return `local requests
init = function() requests = { ${requests.join(',\n')} } end
local place = 0
request = function() place = place % #requests + 1; return requests[place] end
`
}

async function load(
  url: string,
  script: string,
  forSeconds: number,
): Promise<{ rate: number; p99Ms: number }> {
  const child = spawn(
    'taskset',
    ['-c', cores.load, 'wrk', '-t1', `-c${connections}`, `-d${forSeconds}s`, '--latency', '-s', script, url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(child, 'close')
  const text = Buffer.concat(chunks).toString()
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1])
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  if (!Number.isFinite(rate) || /Non-2xx or 3xx|Socket errors/.test(text)) throw new Error(text)
  return { rate, p99Ms: round(Number(p99) * { us: 0.001, ms: 1, s: 1_000 }[unit as 'ms']) }
}

async function download(url: string, paths: readonly string[]): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const path of paths) {
    const { body } = await request(`${url}${path}`)
    files.set(path, Buffer.from(await body.arrayBuffer()))
  }
  return files
}

/** As they are, and compressed. Returns the folder. */
async function writeFiles({ folder }: Laboratory, files: ReadonlyMap<string, Buffer>): Promise<string> {
  const root = join(folder, 'files')
  for (const [path, bytes] of files) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), bytes)
    await writeFile(`${join(root, path)}.gz`, gzipSync(bytes))
  }
  await chmod(root, 0o755)
  return root
}

async function measureOther(
  laboratory: Laboratory,
  paths: readonly string[],
  start: (port: number) => Promise<ChildProcess>,
): Promise<Rates> {
  const port = await freePort()
  const child = await start(port)
  const rates = await measure(laboratory, `http://127.0.0.1:${port}`, paths)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return rates
}

type Serving = { root: string; port: number }

async function startNginx({ folder }: Laboratory, { root, port }: Serving): Promise<ChildProcess> {
  const config = join(folder, 'nginx.conf')
  await writeFile(config, nginxConfig({ root, port, folder }))
  const child = spawn('nginx', ['-c', config], { stdio: 'inherit' })
  await sleep(1_000)
  return child
}

/** What `node:http` does at most on the same core: the files in memory, found by their address, and nothing else. */
async function startBare({ root, port }: Serving): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'bare-feed-process.ts')
  const child = spawn('taskset', ['-c', cores.server, process.execPath, program, root, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

function nginxConfig({ root, port, folder }: Serving & { folder: string }): string {
  return `daemon off; worker_processes 1; worker_cpu_affinity 01; user root; pid ${folder}/nginx.pid; error_log stderr;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; gzip_static on; etag on;
  open_file_cache max=4000; types { application/json json; }
  server { listen 127.0.0.1:${port} backlog=1024; root ${root}; }
}
`
}
