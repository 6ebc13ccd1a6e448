import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../../support/command.ts'
import { call } from '../../support/http.ts'
import { startRealService, type RealService } from '../../support/real-service.ts'
import { S3Server } from '../../support/s3-server.ts'
import { sampleSbom } from '../../support/sample-sbom.ts'

export type ObjectStoreKills = {
  kills: number
  acknowledged: number
  /** Acknowledged, but missing or different in the store. */
  missing: number
  /** Left in the store at the end without a row that names them. */
  orphans: number
  /** Staged and given up: shows that the kills hit. */
  staged: number
}

/**
 * Files are sent while the parser children, or the whole service, are ended with SIGKILL between the row of an object and its put, or
 * between the put and the commit that names it. Everything acknowledged must be intact in the store; unreferenced objects must go.
 */
export async function runObjectStoreKills({ kills }: { kills: number }): Promise<ObjectStoreKills> {
  const bucket = await S3Server.start()
  const real = await startRealService({ families: 40, env: bucket.env })
  try {
    const acknowledged = new Set<string>()
    for (let kill = 0; kill < kills; kill += 1) await sendAndKill(real, bucket, { kill, acknowledged })
    const [counted] = await real.query(
      `select count(*)::int as some from original_object where state = 'staged'`,
    )
    await giveUp(real)
    const named = await real.query(`
      select encode(s.sha256, 'hex') as sha256, s.workspace_id || '/' || encode(o.sha256, 'hex') || '/' || o.id as key,
        encode(o.sealed_sha256, 'hex') as sealed
      from sbom s join original_object o on o.id = s.object_id and o.state = 'kept'`)
    const whole = new Set<string>()
    const keys = new Set<string>()
    for (const row of named) {
      const key = `pre/fix/${String(row['key'])}`
      const bytes = bucket.objects.get(key)?.bytes
      keys.add(key)
      if (bytes !== undefined && sha256(bytes) === row['sealed']) whole.add(String(row['sha256']))
    }
    return {
      kills,
      acknowledged: acknowledged.size,
      missing: [...acknowledged].filter((one) => !whole.has(one)).length,
      orphans: bucket.keys().filter((key) => !keys.has(key)).length,
      staged: Number(counted?.['some'] ?? 0),
    }
  } finally {
    await real.close()
    await bucket.stop()
  }
}

let serial = 5_000_000

type Round = { kill: number; acknowledged: Set<string> }

/** Eight files in parallel; the kill comes with the put of one of them. Refused files are sent again, as pipelines do. */
async function sendAndKill(
  real: RealService,
  bucket: S3Server,
  { kill, acknowledged }: Round,
): Promise<void> {
  const isStored = kill % 2 === 0
  const isWhole = kill % 3 === 2
  const files = Array.from({ length: 8 }, (_, place) => ({
    body: sampleSbom({ components: 5, serial: (serial += 1) }),
    token: real.tokens[(kill * 8 + place) % real.tokens.length] ?? '',
  }))
  let puts = 0
  let dying: Promise<void> | undefined
  bucket.fate = (method) => {
    if (method !== 'PUT' || dying !== undefined) return undefined
    puts += 1
    if (puts < 1 + (kill % files.length)) return undefined
    dying = endWithKill([...parserChildren(real.service.pid()), ...(isWhole ? [real.service.pid()] : [])])
    return isStored ? dying : dying.then(() => Promise.reject(new Error('nobody asks any more')))
  }
  await sendEach(real, files, acknowledged)
  await dying
  bucket.fate = () => undefined
  if (isWhole && dying !== undefined) await real.service.restart()
  for (let turn = 0; turn < 100; turn += 1) {
    const left = files.filter(({ body }) => !acknowledged.has(sha256(body)))
    if (left.length === 0) return
    await sendEach(real, left, acknowledged)
    await sleep(100)
  }
}

type File = { body: Buffer; token: string }

async function sendEach(real: RealService, files: readonly File[], acknowledged: Set<string>): Promise<void> {
  await Promise.all(
    files.map(async ({ body, token }) => {
      const status = await send(real, body, token)
      if (status === 202 || status === 200) acknowledged.add(sha256(body))
    }),
  )
}

async function send({ service }: RealService, body: Uint8Array, token: string): Promise<number> {
  try {
    return (await call(`${service.baseUrl}/api/v1/sboms`, { method: 'POST', token, body })).status
  } catch {
    return 0
  }
}

/** As if a quarter of an hour had passed. */
async function giveUp(real: RealService): Promise<void> {
  await real.query(
    `update original_object set staged_at = staged_at - interval '16 minutes' where state = 'staged'`,
  )
  for (let turn = 0; turn < 100; turn += 1) {
    await runCommand(real.service.env, ['drain'])
    const left = await real.query(`select id from original_object where state <> 'kept'`)
    if (left.length === 0) return
    await sleep(100)
  }
}

/** The parser processes of a service. */
export function parserChildren(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((child) => child !== '')
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('parse'))
}

/** Sends SIGKILL, and waits until all have ended. */
export async function endWithKill(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  while (pids.some(isAlive)) await sleep(5)
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
