import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { exportWorkspace } from '../../src/contract/workspace/closing-operations.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { endBoth, startTestHttp } from '../support/http.ts'
import { tarFiles } from '../support/tar-files.ts'
import { fillForExport, type Filled } from './export-scene.ts'
import { textWith } from '../support/expected.ts'
import { fieldOf, listIn, objectIn } from '../support/read-as.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let now = testNow
let filled: Filled
let others: Filled
let archive: Buffer
let files: Map<string, Buffer>

let { store, http, acme, umbrella, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, umbrella, owner } = await openAppScene({ now: () => now }))
  filled = await fillForExport({ store, http, workspace: acme })
  others = await fillForExport({ store, http, workspace: umbrella })
  await drain(store.db, now)
  archive = await download(owner)
  files = tarFiles(gunzipSync(archive))
})
afterAll(() => endBoth(http, store))

async function download(session: AppSession): Promise<Buffer> {
  const response = await session.open(exportWorkspace)
  const bytes = Buffer.from(await response.body.arrayBuffer())
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="acme-export-${testNow.toISOString().slice(0, 10)}.tar.gz"`,
  })
  return bytes
}

const text = (name: string): string => files.get(name)?.toString() ?? `no ${name}`
const json = (name: string): Record<string, unknown> =>
  objectIn(text(name.endsWith('.json') ? name : `${name}.json`))
const lines = (name: string): Record<string, unknown>[] =>
  text(`${name}.ndjson`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => objectIn(line))

async function idsIn(table: string, workspaceId: string, column = 'id'): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(column)}::text as id from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(
    store.db,
  )
  return rows.map(({ id }) => id)
}

const sorted = (values: readonly unknown[]): unknown[] => values.toSorted()
const idsOf = (rows: unknown): unknown[] => sorted(listIn(rows).map((row) => fieldOf(row, 'id')))

describe('the archive', () => {
  it.runIf(spawnSync('tar', ['--version']).status === 0)('is listed by tar', () => {
    const listed = spawnSync('tar', ['-tzf', '-'], { input: archive, encoding: 'utf8' })
    expect(listed.stderr).toBe('')
    expect(listed.stdout.trim().split('\n')).toEqual([...files.keys()])
  })

  it('ends with a manifest that names every other file with its size and digest', () => {
    const manifest = json('manifest')
    expect(manifest).toMatchObject({
      format: 'workspace-export',
      formatVersion: 1,
      workspace: { id: acme.id, slug: 'acme', companyName: 'acme company' },
      exportedAt: testNow.toISOString(),
      exportedBy: 'owner of acme',
      unreadable: null,
    })
    const names = [...files.keys()]
    expect(names.at(-1)).toBe('manifest.json')
    expect(manifest['files']).toEqual(
      names.slice(0, -1).map((name) => {
        const bytes = files.get(name) ?? Buffer.alloc(0)
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        return { name, bytes: bytes.length, sha256 }
      }),
    )
  })

  it('has SBOMs, VEX documents, advisories and attachments byte for byte', async () => {
    expect(text(`sboms/${filled.sbom.family}/${filled.sbom.id}.json`)).toBe(filled.sbom.bytes.toString())
    expect(text(`vex/${filled.vex.id}.json`)).toBe(filled.vex.bytes.toString())
    const versions = await store.db
      .selectFrom('advisory_version')
      .select(['ordinal', 'bytes'])
      .where('workspace_id', '=', acme.id)
      .orderBy('ordinal')
      .execute()
    expect(versions).toHaveLength(2)
    const [first, second] = versions
    expect(text(`advisories/${filled.advisoryFile}`)).toBe(second?.bytes.toString())
    expect(text(`advisories/earlier/${first?.ordinal}/${filled.advisoryFile}`)).toBe(first?.bytes.toString())
    const [attachment] = await idsIn('inbox_attachment', acme.id)
    expect(text(`inbox/attachments/${attachment}`)).toBe(filled.attachment.toString())
  })

  it('has every row of the lists', async () => {
    for (const [name, table] of [
      ['sboms', 'sbom'],
      ['removed-sboms', 'removed_sbom'],
      ['vex', 'vex_document'],
      ['findings', 'finding'],
      ['decisions', 'verdict_decision'],
      ['advisories', 'advisory'],
      ['inbox', 'inbox_report'],
    ] as const) {
      const ids = await idsIn(table, acme.id)
      expect(ids.length, name).toBeGreaterThan(0)
      expect(idsOf(lines(name)), name).toEqual(sorted(ids))
    }
    expect(idsOf(listIn(json('families'), 'families'))).toEqual(sorted(await idsIn('family', acme.id)))
    const families = listIn(json('families'), 'families')
    expect(families.map((family) => fieldOf(family, 'sbomRetention'))).toContainEqual({
      keep: 'last',
      amount: 3,
      craLiftedAt: null,
      craLiftedBy: null,
      changedAt: testNow.toISOString(),
      changedBy: 'owner of acme',
    })
    expect(idsOf(families.flatMap((family) => listIn(family, 'versions')))).toEqual(
      sorted(await idsIn('product_version', acme.id)),
    )
    expect(idsOf(json('tokens')['tokens'])).toEqual(sorted(await idsIn('token', acme.id)))
    expect(idsOf(json('destinations')['destinations'])).toEqual(
      sorted(await idsIn('alert_destination', acme.id)),
    )
    expect(idsOf(json('members')['members'])).toEqual(sorted([acme.members.owner.id, acme.members.viewer.id]))
    const references = await idsIn('incident', acme.id, 'reference')
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) expect(files.has(`incidents/${reference}.json`)).toBe(true)
  })

  it('says in words what they are about', () => {
    expect(lines('findings')[0]).toMatchObject({
      familyId: filled.sbom.family,
      vulnerability: 'GHSA-acme-aaaa-bbbb',
      component: { name: filled.component, version: '1.0.0', purl: `pkg:npm/${filled.component}@1.0.0` },
      packageVersion: '1.0.0',
    })
    expect(lines('decisions')[0]).toMatchObject({ comment: 'Judged by acme', verdict: 'affected' })
    expect(lines('inbox')[0]).toMatchObject({ report: { title: filled.reportTitle }, isUnreadable: false })
    const drafts = lines('advisories').filter(({ draft }) => draft !== null)
    expect(drafts).toMatchObject([{ draft: { content: { title: 'A draft of acme' } }, versions: [] }])
    const incidents = [...files.keys()].filter((name) => name.startsWith('incidents/'))
    expect(incidents.map(json)).toMatchObject([
      {
        format: 'incident-evidence',
        generatedBy: 'owner of acme',
        incident: { title: filled.incidentTitle },
      },
    ])
    expect(json('settings')).toMatchObject({
      company: { companyName: 'acme company', securityContactEmail: 'security@acme.example' },
      regimes: { cra: true },
      workspace: { plan: 'core' },
    })
    expect(json('members')['members']).toMatchObject([
      { email: 'owner@acme.example', role: 'owner' },
      { email: 'viewer@acme.example', role: 'viewer' },
    ])
  })

  it('has the audit trail, with this export first', async () => {
    const events = lines('audit')
    expect(events[0]).toMatchObject({
      action: 'workspace.exported',
      actor: { name: 'owner of acme' },
      object: { kind: 'workspace', id: acme.id },
    })
    const own = (await idsIn('audit_event', acme.id)).map(Number)
    expect(events.map(({ id }) => Number(id))).toEqual(expect.arrayContaining(own))
  })

  it('has nothing of another workspace, and no secret of its own', async () => {
    const all = Buffer.concat([...files.entries()].flatMap(([name, bytes]) => [Buffer.from(name), bytes]))
    const ids = []
    for (const table of ['sbom', 'vex_document', 'finding', 'incident', 'advisory', 'inbox_report', 'token'])
      ids.push(...(await idsIn(table, umbrella.id)))
    const people = await store.db.selectFrom('person').select(['id', 'password_hash']).execute()
    const hashes = await store.db.selectFrom('token').select('secret_hash').execute()
    const forbidden = [
      ...['umbrella', 'Umbrella', umbrella.id, ...umbrella.families.map(({ id }) => id), ...ids],
      ...[umbrella.members.owner.id, umbrella.members.viewer.id],
      ...[...others.secrets, ...filled.secrets, acme.members.owner.password],
      ...people.map(({ password_hash: hash }) => hash ?? 'no password'),
      ...hashes.flatMap(({ secret_hash: hash }) => [hash.toString('hex'), hash.toString('base64')]),
    ]
    for (const one of forbidden) {
      expect(one).not.toBe('')
      expect(all.includes(one), one).toBe(false)
    }
    expect(all.includes('hooks.acme.example')).toBe(true)
  })
})

describe('who may export', () => {
  it.each(['admin', 'lead', 'editor', 'viewer'] as const)('%s may not', async (role) => {
    await store.db
      .updateTable('member')
      .set({ role })
      .where('workspace_id', '=', acme.id)
      .where('person_id', '=', acme.members.viewer.id)
      .execute()
    const session = await AppSession.signIn(http.url, acme.members.viewer)
    expect(await session.refused(exportWorkspace)).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
  })

  it('another workspace answers as if it were not there', async () => {
    const stranger = await AppSession.signIn(http.url, umbrella.members.owner)
    expect(await stranger.refused(exportWorkspace, { params: { slug: 'acme' } })).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
  })

  it('asks owners to confirm that it is them', async () => {
    const session = await AppSession.signIn(http.url, acme.members.owner)
    now = new Date(testNow.getTime() + 11 * 60_000)
    try {
      expect(await session.refused(exportWorkspace)).toMatchObject({
        status: 403,
        body: { error: 'confirmation_required' },
      })
    } finally {
      now = testNow
    }
  })

  it.each([
    ['read-only', { plan: 'free', closed_at: null }],
    ['suspended', { plan: 'core', suspended_at: testNow }],
    ['closed', { plan: 'core', suspended_at: null, closed_at: testNow }],
  ] as const)('works while the workspace is %s', async (_state, values) => {
    await store.db.updateTable('workspace').set(values).where('id', '=', acme.id).execute()
    expect(tarFiles(gunzipSync(await download(owner))).has('manifest.json')).toBe(true)
  })
})

it('says what could not be opened where the key is missing', async () => {
  const sealing = createSealing(createKeyRing(parseKeys(newKeyText())))
  const other = await startTestHttp({ database: store, now: () => now, sealing })
  try {
    const session = await AppSession.signIn(other.url, acme.members.owner)
    const exported = tarFiles(gunzipSync(await download(session)))
    const manifest = objectIn(exported.get('manifest.json')?.toString() ?? '')
    expect(manifest['unreadable']).toMatchObject({
      reports: 1,
      attachments: 1,
      why: textWith('key'),
    })
    const [report = ''] = exported.get('inbox.ndjson')?.toString().split('\n') ?? []
    expect(JSON.parse(report)).toMatchObject({ report: null, isUnreadable: true })
  } finally {
    await other.stop()
  }
})

describe('a download that is interrupted', () => {
  const openReads = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
        and backend_type = 'client backend'`.execute(store.db)
    return rows[0]?.count
  }

  it('ends its transaction, and another one can begin', async () => {
    // more than the buffers in between can hold
    const raw = randomBytes(24 * 1024 * 1024)
    await store.db
      .updateTable('sbom')
      .set({ raw, raw_encoding: 'identity' })
      .where('id', '=', filled.sbom.id)
      .execute()
    const response = await owner.open(exportWorkspace)
    expect(response.statusCode).toBe(200)
    await vi.waitFor(async () => expect(await openReads()).toBe(1), { timeout: 30_000 })
    expect(await owner.refused(exportWorkspace)).toMatchObject({
      status: 429,
      body: { error: 'rate_limited' },
    })
    response.body.on('error', () => undefined)
    response.body.destroy()
    await vi.waitFor(async () => expect(await openReads()).toBe(0), { timeout: 30_000 })
    const whole = tarFiles(gunzipSync(await download(owner)))
    expect(whole.get(`sboms/${filled.sbom.family}/${filled.sbom.id}.json`)?.equals(raw)).toBe(true)
  })
})
