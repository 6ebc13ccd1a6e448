import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { ProvisionDocument } from '../../src/provision/document.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { runCli } from '../support/service.ts'
import { anyText, textLike } from '../support/expected.ts'
import { readAs } from '../support/read-as.ts'

let database: TestDatabase
let env: Record<string, string | undefined>

beforeAll(async () => {
  database = await createTestDatabase()
  env = {
    ...process.env,
    DATABASE_URL: database.url,
    BASE_URL: 'http://localhost:3000',
    ENCRYPTION_KEYS: newKeyText(),
  }
})
afterAll(() => database.drop())

const provision = (input: unknown) => runCli<ProvisionDocument>(env, ['provision'], input)
/** The refusal of an input; `madeBefore` reads what was created before it. */
const refusal = async (input: unknown) => {
  const refused = await provision(input).catch((error: unknown) => error)
  if (refused instanceof Error) return refused
  throw new Error('provision refused nothing')
}

const madeBefore = ({ cause }: Error) => readAs(ProvisionDocument, JSON.parse(String(cause)))

describe('provision', () => {
  const company = { companyName: 'Initech', securityContactEmail: 'security@initech.example', plan: 'core' }
  const destination = {
    name: 'Hook',
    kind: 'webhook',
    url: 'http://hook.example',
    events: ['report.received'],
  }
  it.each([
    ['a list', [], '/: must be object'],
    ['a slug', { workspaces: [{ ...company, slug: 'Init Tech' }] }, 'workspace "Init Tech": '],
    [
      'a destination',
      { workspaces: [{ ...company, slug: 'initech', destinations: [destination] }] },
      'a destination of "initech": Some fields are missing or invalid.\n  url: It must start with https://.',
    ],
  ])('says in words what an operator can correct: %s', async (_name, input, words) => {
    const refused = await refusal(input)
    expect(refused.message).toMatch(/^provision ended with 2: /)
    expect(refused.message).toContain(words)
    expect(refused.message).not.toMatch(/^ {4}at /m)
  })

  it('prints what it made before it was refused: its secrets cannot be shown again', async () => {
    const family = { name: 'Printer', tokens: [{ name: 'ci' }] }
    const hook = { ...destination, name: 'First', url: 'https://hook.example/' }
    const workspace = { ...company, slug: 'initech', families: [family], destinations: [hook, destination] }
    const refused = await refusal({ workspaces: [workspace] })
    expect(refused.message).toContain('a destination of "initech": ')
    const { workspaces } = madeBefore(refused)
    expect(workspaces[0]?.families?.[0]?.tokens?.[0]?.token).toMatch(/^svc_/)
    expect(workspaces[0]?.destinations).toMatchObject([{ name: 'First', secret: anyText }])
  })

  it('goes on after the cause is mended, and makes nothing twice', async () => {
    const hook = { ...destination, url: 'https://hook.example/' }
    const workspace = (version: string) => ({
      ...company,
      slug: 'hooli',
      destinations: [hook],
      tokens: [{ name: 'all', access: 'manage_destinations' }],
      families: [
        { name: 'Phone', versions: ['1.0'], tokens: [{ name: 'ci' }] },
        { name: 'Box', versions: [version], tokens: [{ name: 'ci' }] },
      ],
    })
    const refused = await refusal({ workspaces: [workspace(' 2.0')] })
    expect(refused.message).toMatch(/^provision ended with 2: [^]*family "Box" of "hooli": /)
    const [first] = madeBefore(refused).workspaces
    const phone = { name: 'Phone', tokens: [{ name: 'ci', token: textLike(/^svc_/) }] }
    expect(first).toMatchObject({
      families: [phone, { name: 'Box', tokens: [] }],
      tokens: [],
      destinations: [],
    })

    const runAgain = () => provision({ workspaces: [workspace('2.0')] })
    const [second] = (await runAgain()).workspaces
    expect(second).toMatchObject({
      id: first?.id,
      families: [
        { id: first?.families?.[0]?.id },
        { id: first?.families?.[1]?.id, tokens: [{ name: 'ci' }] },
      ],
    })
    const secretsOf = (made = second) => [
      ...(made?.families ?? []).map(({ tokens }) => tokens?.[0]?.token !== undefined),
      made?.tokens?.[0]?.token !== undefined,
      made?.destinations?.[0]?.secret !== undefined,
    ]
    // a secret shown by the first run is not shown again
    expect(secretsOf()).toEqual([false, true, true, true])
    const [third] = (await runAgain()).workspaces
    expect(secretsOf(third)).toEqual([false, false, false, false])

    const { rows } = await database.pool.query<{ action: string; acts: number }>(
      'select action, count(*)::int as acts from audit_event where workspace_id = $1 group by 1 order by 1',
      [second?.id],
    )
    expect(Object.fromEntries(rows.map(({ action, acts }) => [action, acts]))).toEqual({
      'destination.added': 1,
      'family.created': 2,
      'token.created': 3,
      'workspace.created': 1,
    })
  })
})
