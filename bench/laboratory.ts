import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import pg from 'pg'
import { serverRole } from '../src/platform/postgres/embedded/cluster.ts'
import { serviceRole } from '../src/platform/postgres/embedded/prepare-store.ts'
import { startService, type Service } from '../test/support/service.ts'

/** A service of its own on an embedded store that really writes to the disk, and a session on that store. */
export type Laboratory = {
  service: Service
  sql: pg.Client
  /** A session of the server's own role: what is cloned into the store needs no foreign key to be checked. */
  admin: () => Promise<pg.Client>
  /** One upload token for each name, each in a family of its own. */
  tokens: (count: number) => Promise<string[]>
  /** For files of a benchmark; removed at the end. */
  folder: string
  close: () => Promise<void>
}

export const agent = new Agent({ connections: 64, bodyTimeout: 120_000, headersTimeout: 120_000 })

type ProvisionAnswer = { workspaces: { families: { tokens: { token: string }[] }[] }[] }

export async function openLaboratory(): Promise<Laboratory> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-bench-'))
  await chmod(folder, 0o755)
  const env = { DATA_DIR: join(folder, 'store'), LOG_LEVEL: 'info', ...chaining }
  const service = await startService({ env })
  const address = await storeAddress(service)
  await allowCheckpoints(address)
  const sql = new pg.Client({ connectionString: address })
  await sql.connect()
  let batch = 0
  return {
    service,
    sql,
    admin: () => openAdmin(address),
    folder,
    tokens: async (count) => {
      batch += 1
      return provisionTokens(service, `bench-${batch}`, count)
    },
    close: async () => {
      await sql.end()
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Environment of a service that leaves the audit trail unchained, to measure what chaining costs: an operator cannot. */
export const unchained = {
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${join(import.meta.dirname, 'without-chaining-process.ts')}`,
}

/** With BENCH_CHAINING=off it does not chain. */
const chaining = process.env['BENCH_CHAINING'] === 'off' ? unchained : {}

/** One upload token for each of so many families of a workspace of its own. */
export async function provisionTokens(
  service: Pick<Service, 'cli'>,
  slug: string,
  count: number,
): Promise<string[]> {
  const families = Array.from({ length: count }, (_, index) => ({
    name: `family ${index}`,
    tokens: [{ name: 'bench' }],
  }))
  const company = { companyName: 'Bench', securityContactEmail: 'bench@example.com', plan: 'plus' }
  const { workspaces } = await service.cli<ProvisionAnswer>(['provision'], {
    workspaces: [{ slug, ...company, families }],
  })
  return workspaces.flatMap((workspace) =>
    workspace.families.flatMap((family) => family.tokens.map(({ token }) => token)),
  )
}

/** What a benchmark prepares is written to the disk before it measures, which the service's own role may not order. */
async function allowCheckpoints(address: string): Promise<void> {
  const admin = await openAdmin(address)
  await admin.query(`grant pg_checkpoint to ${serviceRole}`)
  await admin.end()
}

async function openAdmin(address: string): Promise<pg.Client> {
  const admin = new pg.Client({
    connectionString: address.replace(`user=${serviceRole}`, `user=${serverRole}`),
  })
  await admin.connect()
  return admin
}

async function storeAddress(service: Service): Promise<string> {
  const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
  return databaseUrl
}

export type Answer = { status: number; ms: number; body: { id: string; status: string; duplicate: boolean } }

/** Sends a file and waits for the whole answer. */
export async function upload(
  service: Service,
  token: string,
  body: Buffer,
  path = '/api/v1/sboms',
): Promise<Answer> {
  const startedAt = performance.now()
  const response = await request(`${service.baseUrl}${path}`, {
    method: 'POST',
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  const answer = (await response.body.json()) as Answer['body']
  return { status: response.statusCode, ms: performance.now() - startedAt, body: answer }
}

/** Waits until the SBOM's matching has finished; returns the milliseconds since `startedAt`. */
export async function untilMatched({ sql }: Laboratory, id: string, startedAt: number): Promise<number> {
  for (;;) {
    const { rows } = await sql.query<{ status: string }>('select status from sbom where id = $1', [id])
    const status = rows[0]?.status
    if (status === 'matched') return performance.now() - startedAt
    if (status === 'failed') throw new Error(`matching of ${id} failed`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
