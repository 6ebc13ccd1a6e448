import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from '../../src/products/tokens/authenticate.ts'
import { provision } from '../../src/provision/provision.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testNow } from '../support/clock.ts'
import { anyText } from '../support/expected.ts'

const document = {
  workspaces: [
    {
      slug: 'acme',
      companyName: 'Acme AS',
      securityContactEmail: 'security@acme.example',
      plan: 'core',
      members: [
        { email: 'olga@acme.example', name: 'Olga', role: 'owner', password: 'a long enough password' },
      ],
      families: [
        {
          name: 'Pump',
          versions: ['1.0'],
          archived: false,
          tokens: [{ name: 'ci', kind: 'upload', expiresAt: null }],
        },
        { name: 'Old pump', archived: true, tokens: [{ name: 'ci' }] },
      ],
      tokens: [{ name: 'ops', access: 'manage_destinations', expiresAt: '2027-01-01T00:00:00Z' }],
      disclosure: { publicContactEmail: 'psirt@acme.example', canonicalUrl: null, policyDays: 3 },
    },
  ],
}

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

describe('provision', () => {
  it('creates what is missing and answers ids and new secrets', async () => {
    const { workspaces } = await provision(store.db, document, testNow)
    const [acme] = workspaces
    expect(acme).toMatchObject({ slug: 'acme', id: anyText })
    const secret = acme?.families?.[0]?.tokens?.[0]?.token
    expect(secret).toMatch(/^svc_[A-Za-z0-9_-]{43}$/)
    expect(await authenticate(store.db, { secret, kinds: ['upload'], now: testNow })).toMatchObject({
      workspaceId: acme?.id,
      familyId: acme?.families?.[0]?.id,
      name: 'ci',
    })
    const archived = acme?.families?.[1]?.tokens?.[0]?.token
    await expect(
      authenticate(store.db, { secret: archived, kinds: ['upload'], now: testNow }),
    ).rejects.toThrow()
  })

  it('makes nothing twice and shows no secret again', async () => {
    const count = () =>
      store.db
        .selectNoFrom((select) => [
          select.selectFrom('token').select(select.fn.countAll<number>().as('n')).as('tokens'),
          select.selectFrom('family').select(select.fn.countAll<number>().as('n')).as('families'),
          select.selectFrom('member').select(select.fn.countAll<number>().as('n')).as('members'),
          select.selectFrom('product_version').select(select.fn.countAll<number>().as('n')).as('versions'),
        ])
        .executeTakeFirstOrThrow()
    const before = await count()
    const { workspaces } = await provision(store.db, document, testNow)
    expect(await count()).toEqual(before)
    expect(JSON.stringify(workspaces)).not.toContain('svc_')
  })

  it('reads its own output again', async () => {
    const printed = await provision(store.db, document, testNow)
    await expect(provision(store.db, printed, testNow)).resolves.toEqual(printed)
  })

  it.each(['members/0/name', 'members/0/email', 'families/0/name', 'families/0/versions/0', 'tokens/0/name'])(
    'names the place of a character that cannot be seen, and makes nothing: %s',
    async (place) => {
      const copy: Record<string, unknown> = structuredClone({ ...document.workspaces[0], slug: 'hidden' })
      const fields = place.split('/')
      const last = fields.pop() ?? ''
      const parent = fields.reduce<Record<string, unknown>>(
        (part, field) => part[field] as Record<string, unknown>,
        copy,
      )
      parent[last] = `Pu\u202e${String(parent[last])}`
      await expect(provision(store.db, { workspaces: [copy] }, testNow)).rejects.toThrow(
        `/workspaces/0/${place}: It contains an invisible character (U+202E).`,
      )
      const made = store.db.selectFrom('workspace').select('id').where('slug', '=', 'hidden')
      expect(await made.executeTakeFirst()).toBeUndefined()
    },
  )

  it('moves a workspace between plans, closed included', async () => {
    const withPlan = (plan: string) => ({ workspaces: [{ ...document.workspaces[0], plan }] })
    for (const plan of ['free', 'closed', 'trial', 'core']) {
      await provision(store.db, withPlan(plan), testNow)
      const row = await store.db.selectFrom('workspace').selectAll().executeTakeFirstOrThrow()
      expect(plan === 'closed' ? row.closed_at : row.plan).toEqual(plan === 'closed' ? testNow : plan)
    }
  })

  it.each([
    ['no document', 'text', /\//],
    ['an unknown field', { workspaces: [], extra: 1 }, /additional|unexpected/i],
    [
      'an unknown plan',
      { workspaces: [{ ...document.workspaces[0], plan: 'gold' }] },
      /\/workspaces\/0\/plan/,
    ],
    [
      'a plan, by those that there are',
      { workspaces: [{ ...document.workspaces[0], plan: 'gold' }] },
      /\/workspaces\/0\/plan: must be one of trial, starter, core, plus, free, closed; found "gold"/,
    ],
    [
      'a role, by those that there are',
      {
        workspaces: [
          { ...document.workspaces[0], members: [{ email: 'a@b.example', name: 'A', role: ['boss'] }] },
        ],
      },
      /\/members\/0\/role: must be one of owner, admin, lead, editor, viewer; found \["boss"\]/,
    ],
  ])('says where a document is wrong: %s', async (_name, input, message) => {
    await expect(provision(store.db, input, testNow)).rejects.toThrow(message)
  })

  it.each([
    ['a slug', { slug: 'Bad Slug' }, /^workspace "Bad Slug": .*\n {2}slug: /],
    ['a contact', { slug: 'contact', securityContactEmail: 'nobody' }, /\n {2}securityContactEmail: /],
    [
      'a password',
      { slug: 'weak', members: [{ email: 'w@acme.example', name: 'W', role: 'owner', password: 'short' }] },
      /^member "w@acme\.example" of "weak": .*\n {2}password: /,
    ],
    ['a family', { slug: 'nameless', families: [{ name: '' }] }, /^family "" of "nameless": .*\n {2}name: /],
    [
      'a blank version',
      { slug: 'blank', families: [{ name: 'A', versions: [' '] }] },
      /^family "A" of "blank": .*\n {2}versions: Expected 1 to 100 characters/,
    ],
    [
      'a time that the database does not know',
      {
        slug: 'late',
        tokens: [{ name: 'ops', access: 'manage_destinations', expiresAt: '9999-12-31T23:00:00-02:00' }],
      },
      /token "ops" of "late": [\s\S]*\n {2}expiresAt: /,
    ],
    [
      'a long version',
      { slug: 'long', families: [{ name: 'A', versions: ['\u{1f600}'.repeat(101)] }] },
      /\n {2}versions: /,
    ],
  ])('names what the service refuses: %s', async (_name, changed, message) => {
    const workspace = { ...document.workspaces[0], members: [], families: [], ...changed }
    await expect(provision(store.db, { workspaces: [workspace] }, testNow)).rejects.toThrow(message)
  })

  it('takes a version of 100 characters', async () => {
    const families = [{ name: 'A', versions: ['\u{1f600}'.repeat(100)] }]
    const workspace = { ...document.workspaces[0], slug: 'limit', members: [], families }
    const made = await provision(store.db, { workspaces: [workspace] }, testNow)
    expect(made.workspaces[0]?.families?.[0]).toMatchObject({ name: 'A', versions: families[0]?.versions })
  })

  it('writes an audit event for every act', async () => {
    const actions = await store.db.selectFrom('audit_event').select('action').distinct().execute()
    expect(actions.map(({ action }) => action).sort()).toEqual(
      expect.arrayContaining([
        'family.archived',
        'family.created',
        'member.added',
        'token.created',
        'workspace.created',
      ]),
    )
  })
})
