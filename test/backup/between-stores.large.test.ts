import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/http.ts'
import { layStore } from '../support/prepared-store.ts'
import { runCli, startService } from '../support/service.ts'
import { checkoutDir } from '../support/test-server.ts'
import { readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'

type Provisioned = { workspaces: { families: { tokens: { token: string }[] }[] }[] }
type Report = { rows: number; tables: Record<string, number> }

let folder: string
let external: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-stores-'))
  // when started by root, the embedded server runs under another account
  await chmod(folder, 0o755)
  external = await createEmptyDatabase()
})

afterAll(async () => {
  await external.drop()
  await rm(folder, { recursive: true, force: true })
})

// the test runner sets a BASE_URL of its own
const environment = { ...process.env, BASE_URL: '' }
const embedded = (name: string) => ({ ...environment, DATABASE_URL: '', DATA_DIR: join(folder, name) })
const files = { out: () => join(folder, 'embedded.gz'), back: () => join(folder, 'external.gz') }

async function send(baseUrl: string, token: string) {
  const body = await readFile(join(checkoutDir, 'demo/sample.cdx.json'))
  return call(`${baseUrl}/api/v1/sboms`, { method: 'POST', token, body })
}

describe('backup and restore on the command line', () => {
  it('carry a running embedded store to an external server and back', async () => {
    await layStore(join(folder, 'first'))
    const service = await startService({ env: { DATA_DIR: join(folder, 'first'), DATABASE_URL: '' } })
    const families = [{ name: 'Pump', tokens: [{ name: 'ci' }] }]
    const workspace = {
      slug: 'acme',
      companyName: 'Acme',
      securityContactEmail: 's@acme.example',
      plan: 'core',
    }
    const made = await service.cli<Provisioned>(['provision'], { workspaces: [{ ...workspace, families }] })
    const token = made.workspaces[0]?.families[0]?.tokens[0]?.token ?? ''
    const sent = await send(service.baseUrl, token)
    expect(sent.status).toBe(202)
    const out = await service.cli<Report>(['backup', files.out()])
    await service.stop()

    const onServer = { ...environment, DATABASE_URL: external.url }
    const moved = await runCli<Report>({ ...onServer, DATABASE_URL: external.directUrl }, [
      'restore',
      files.out(),
    ])
    expect(moved.tables).toEqual(out.tables)
    const second = await startService({ env: { DATABASE_URL: external.url } })
    const again = await send(second.baseUrl, token)
    expect(again).toMatchObject({
      status: 200,
      body: { duplicate: true, id: readAs(SbomReceipt, sent.body).id },
    })
    await second.stop()

    const back = await runCli<Report>(onServer, ['backup', files.back()])
    await runCli<Report>(embedded('second'), ['restore', files.back()])
    const third = await runCli<Report>(embedded('second'), ['backup', join(folder, 'again.gz')])
    expect(third.tables).toEqual(back.tables)
    expect(third.tables['finding']).toBe(out.tables['finding'])
  }, 300_000)

  it('say in one line what is wrong, and end with 2', async () => {
    const words = runCli(embedded('third'), ['restore', join(folder, 'no-such-file')])
    await expect(words).rejects.toThrow(
      /^restore .* ended with 2: .*no-such-file cannot be read \(ENOENT\)\.$/m,
    )
    await expect(runCli(embedded('third'), ['backup'])).rejects.toThrow(
      /ended with 2: expected a file to write/,
    )
  })
})
