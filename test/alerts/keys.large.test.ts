import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { beginApp } from '../../src/people/factors/authenticator.ts'
import { openSession } from '../../src/people/sessions.ts'
import { setIssuer } from '../../src/people/company-sign-in/company-settings.ts'
import { testNow } from '../support/clock.ts'
import { runCommand } from '../support/command.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/http.ts'
import { layStore } from '../support/prepared-store.ts'
import { runCli, startService } from '../support/service.ts'
import { fieldOf } from '../support/read-as.ts'

type Destination = { id: string; secret?: string }
type Provisioned = { workspaces: { tokens: { token?: string }[]; destinations: Destination[] }[] }
type Rotated = { madeKey: boolean; resealed: number; unreadable: number }

const path = '/api/v1/alert-destinations'
const webhook = {
  kind: 'webhook',
  name: 'On call',
  url: 'https://a.example/hook',
  events: ['incident.opened'],
}
const document = {
  workspaces: [
    {
      slug: 'acme',
      companyName: 'Acme',
      securityContactEmail: 's@acme.example',
      plan: 'core',
      tokens: [{ name: 'ops', access: 'manage_destinations' }],
      destinations: [
        webhook,
        { ...webhook, kind: 'chat_a', name: 'chat', url: 'https://hooks.slack.com/services/x' },
      ],
    },
  ],
}

let folder: string
const databases: TestDatabase[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-keys-'))
  await chmod(folder, 0o755)
})
afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()))
  await rm(folder, { recursive: true, force: true })
})

async function add(baseUrl: string, token: string, name: string) {
  return call(baseUrl + path, { method: 'POST', token, body: JSON.stringify({ ...webhook, name }) })
}

test('with the embedded database a running process takes the new key, and the old one is not needed any more', async () => {
  const dataDir = join(folder, 'embedded')
  await layStore(dataDir)
  const service = await startService({ env: { DATA_DIR: dataDir, DATABASE_URL: '' }, role: 'serve' })
  try {
    const made = await service.cli<Provisioned>(['provision'], document)
    const token = made.workspaces[0]?.tokens[0]?.token ?? ''
    const again = await service.cli<Provisioned>(['provision'], document)
    expect(again.workspaces[0]?.destinations.map(({ id }) => id)).toEqual(
      made.workspaces[0]?.destinations.map(({ id }) => id),
    )
    expect(made.workspaces[0]?.destinations[0]?.secret).toMatch(/^whsec_/)
    expect(again.workspaces[0]?.destinations[0]).not.toHaveProperty('secret')

    // two URLs and one secret
    expect(await service.cli<Rotated>(['keys', 'rotate'])).toEqual({
      madeKey: true,
      resealed: 3,
      unreadable: 0,
    })
    expect(await add(service.baseUrl, token, 'after')).toMatchObject({ status: 201 })
    const file = join(dataDir, 'encryption-keys')
    const [newest = '', ...older] = (await readFile(file, 'utf8')).trim().split('\n')
    expect(older).toHaveLength(1)
    await writeFile(file, `${newest}\n`)
    await service.stop()
    await service.restart()
    expect(await add(service.baseUrl, token, 'later')).toMatchObject({ status: 201 })
    expect(await (await fetch(`${service.baseUrl}/readyz`)).json()).toMatchObject({
      status: 'ready',
      degraded: [],
    })
    // what the first key had sealed opens with the newest: creating another key reseals everything
    expect(await service.cli<Rotated>(['keys', 'rotate'])).toEqual({
      madeKey: true,
      resealed: 7,
      unreadable: 0,
    })
  } finally {
    await service.stop()
  }
})

test('a file of keys that cannot be read is said in words, and no database server stays behind', async () => {
  const dataDir = join(folder, 'unreadable')
  await layStore(dataDir)
  const env = { ...process.env, BASE_URL: '', DATABASE_URL: '', DATA_DIR: dataDir }
  await runCli(env, ['keys', 'state'])
  const file = join(dataDir, 'encryption-keys')
  const keys = await readFile(file)
  await writeFile(file, 'no key\n')
  await expect(runCli(env, ['keys', 'state'])).rejects.toThrow(
    `keys state ended with 2: The keys in ${file} cannot be read: expected 32 random bytes as base64 or hexadecimal in place 1.`,
  )
  // the server removes it on exit
  expect(existsSync(join(dataDir, 'pgdata/postmaster.pid'))).toBe(false)
  await writeFile(file, keys)
  expect(await runCli(env, ['keys', 'state'])).toMatchObject({ state: 'ready' })
})

test('with ENCRYPTION_KEYS the first key writes, all of them read, and readiness says when none fits', async () => {
  const database = await createTestDatabase()
  databases.push(database)
  const [first, second] = [newKeyText(), newKeyText()]
  const env = (keys: string) => ({ DATABASE_URL: database.url, ENCRYPTION_KEYS: keys })
  const cli = <T>(keys: string, args: string[], input?: unknown) =>
    runCommand<T>({ ...process.env, BASE_URL: '', ...env(keys) }, args, input)
  const made = await cli<Provisioned>(first, ['provision'], document)
  const token = made.workspaces[0]?.tokens[0]?.token ?? ''
  expect(await cli<Rotated>(`${second},${first}`, ['keys', 'rotate'])).toEqual({
    madeKey: false,
    resealed: 3,
    unreadable: 0,
  })
  expect(await cli<Rotated>(second, ['keys', 'rotate'])).toEqual({
    madeKey: false,
    resealed: 0,
    unreadable: 0,
  })

  const lost = await startService({ env: env(first), role: 'serve' })
  try {
    expect(await add(lost.baseUrl, token, 'lost')).toMatchObject({
      status: 503,
      body: { error: 'not_configured' },
    })
    const readiness: unknown = await (await fetch(`${lost.baseUrl}/readyz`)).json()
    expect(fieldOf(readiness, 'status')).toBe('ready')
    expect(String(fieldOf(readiness, 'degraded'))).toContain('encryption keys')
  } finally {
    await lost.stop()
  }
  const found = await startService({ env: env(second), role: 'serve' })
  try {
    expect(await add(found.baseUrl, token, 'found')).toMatchObject({ status: 201 })
  } finally {
    await found.stop()
  }
})

/** A member's authenticator app and a company sign-in, stored by their own operations. */
async function sealSignIn({ db }: TestDatabase, keys: string): Promise<void> {
  const sealing = createSealing(createKeyRing(parseKeys(keys)))
  const member = await db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .select(['m.workspace_id as workspaceId', 'p.id as personId', 'p.name', 'p.email'])
    .where('m.role', '=', 'owner')
    .executeTakeFirstOrThrow()
  const { workspaceId, personId, name, email } = member
  await openSession(db, { personId, address: '192.0.2.1', now: testNow })
  const { id: sessionId } = await db.selectFrom('session').select('id').executeTakeFirstOrThrow()
  const session = {
    sessionId,
    confirmedAt: testNow,
    hasSecondFactor: false,
    companyWorkspaceId: null,
  }
  const person = { personId, name, email, ...session }
  await beginApp({ db, sealing }, { person, now: testNow, serviceName: 'SBOM Monitor' })
  const issuer = { issuer: 'https://id.acme.example', clientId: 'monitor', clientSecret: 'a client secret' }
  const actor = { kind: 'person', id: personId, name } as const
  await setIssuer(db, sealing, { ...issuer, workspaceId, actor, now: testNow })
}

test('a restored backup says how much its keys cannot open, and loses nothing of it', async () => {
  const [source, target, other] = [
    await createTestDatabase(),
    await createEmptyDatabase(),
    await createEmptyDatabase(),
  ]
  databases.push(source, target, other)
  const keys = newKeyText()
  const cli = <T>(database: TestDatabase, key: string, args: string[], input?: unknown) =>
    runCommand<T>(
      {
        ...process.env,
        BASE_URL: '',
        ENCRYPTION_KEYS: key,
        DATABASE_URL: args[0] === 'restore' ? database.directUrl : database.url,
      },
      args,
      input,
    )
  const members = [
    { email: 'o@acme.example', name: 'Olga', role: 'owner', password: 'a long enough password' },
  ]
  await cli(source, keys, ['provision'], {
    workspaces: document.workspaces.map((workspace) => ({ ...workspace, members })),
  })
  await sealSignIn(source, keys)
  const file = join(folder, 'backup.gz')
  await cli(source, keys, ['backup', file])
  const lost = {
    unusableDestinations: 2,
    unusableReports: 0,
    unusableAuthenticators: 1,
    unusableClientSecrets: 1,
    unusableLinks: 0,
    unusableOriginals: 0,
  }
  expect(await cli(target, newKeyText(), ['restore', file])).toMatchObject(lost)
  expect(await cli(target, newKeyText(), ['keys', 'state'])).toMatchObject({ state: 'other_key', ...lost })
  expect(await cli(other, keys, ['restore', file])).toMatchObject({
    unusableDestinations: 0,
    unusableReports: 0,
    unusableAuthenticators: 0,
    unusableClientSecrets: 0,
    unusableLinks: 0,
    unusableOriginals: 0,
  })
  // the key is back
  expect(await cli<Rotated>(target, `${newKeyText()},${keys}`, ['keys', 'rotate'])).toMatchObject({
    resealed: 5,
    unreadable: 0,
  })
})
