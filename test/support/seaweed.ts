import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readObjectStore } from '../../src/platform/config/object-store.ts'
import { createSigner } from '../../src/originals/objects/signing.ts'
import { freePort } from './free-port.ts'

/** Whether SeaweedFS's `weed` is available: CI installs it (`.ci/run`). */
export function hasSeaweed(): boolean {
  return spawnSync('weed', ['version']).status === 0
}

export type Seaweed = { env: Record<string, string>; stop: () => Promise<void> }

const accessKey = 'weed-access'
const secretKey = 'weed-secret'

/** A new server with one bucket, on its own ports. */
export async function startSeaweed(): Promise<Seaweed> {
  const folder = mkdtempSync(join(tmpdir(), 'seaweed-'))
  const config = join(folder, 's3.json')
  const identity = {
    name: 'tests',
    credentials: [{ accessKey, secretKey }],
    actions: ['Admin', 'Read', 'Write', 'List'],
  }
  writeFileSync(config, JSON.stringify({ identities: [identity] }))
  const ports = []
  for (let count = 0; count < 8; count += 1) ports.push(await freePort())
  const [master, masterGrpc, volume, volumeGrpc, filer, filerGrpc, s3, s3Grpc] = ports
  const child = spawn(
    'weed',
    [
      ...['server', `-dir=${folder}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-master.volumeSizeLimitMB=64'],
      ...[`-master.port=${master}`, `-master.port.grpc=${masterGrpc}`, `-volume.port=${volume}`],
      ...[`-volume.port.grpc=${volumeGrpc}`, '-volume.max=20', '-filer', `-filer.port=${filer}`],
      ...[
        `-filer.port.grpc=${filerGrpc}`,
        '-s3',
        `-s3.port=${s3}`,
        `-s3.port.grpc=${s3Grpc}`,
        `-s3.config=${config}`,
        // on ports that all servers of a machine would share
        ...['-s3.port.iceberg=0', '-s3.port.lance=0'],
      ],
    ],
    { stdio: 'ignore' },
  )
  const env = {
    OBJECT_STORE_URL: `http://127.0.0.1:${s3}/originals/sbom`,
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: secretKey,
    AWS_REGION: 'us-east-1',
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await makeBucket(env)
    return { env, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Retries until the server answers. */
async function makeBucket(env: Record<string, string>): Promise<void> {
  const { place, keys } = readObjectStore(env, { canSeal: true, mistakes: [] })
  if (place === null || keys === null) throw new Error('the settings are not valid')
  const sign = createSigner(place, keys)
  const bodySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  for (let attempt = 0; attempt < 300; attempt += 1) {
    try {
      const headers = await sign({ method: 'PUT', path: '/originals', query: {}, bodySha256 })
      const { host: _host, ...others } = headers
      const answer = await fetch(`${place.origin}/originals`, { method: 'PUT', headers: others })
      if (answer.ok) return
    } catch {
      // not listening yet
    }
    await sleep(200)
  }
  throw new Error('SeaweedFS did not make a bucket within a minute')
}
