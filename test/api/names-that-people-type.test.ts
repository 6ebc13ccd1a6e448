import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendSbom, sendVex } from '../../src/contract/sbom/upload-operations.ts'
import { issueSetupLink } from '../../src/people/setup.ts'
import { operations } from '../../src/http/routes.ts'
import type { Operation } from '../../src/http/operation.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'
import { cannotBeSeen, named, namesNothing } from './typed-names.ts'
import { textLike } from '../support/expected.ts'

/** Control characters, bidirectional marks, zero-width characters and a line end: inside a name, where nothing trims them. */
const hidden = [
  ['\u0007', 'U+0007'],
  ['\u009b', 'U+009B'],
  ['\u200b', 'U+200B'],
  ['\u200f', 'U+200F'],
  ['\u2028', 'U+2028'],
  ['\u202e', 'U+202E'],
  ['\u2066', 'U+2066'],
  ['\u{e0041}', 'U+E0041'],
] as const

const textFields = ({ method, url, bodySchema, body }: Operation): string[] => {
  if (body !== 'json') return []
  const { properties } = bodySchema as { properties: Record<string, { type?: string; format?: string }> }
  return Object.entries(properties)
    .filter(([, { type, format }]) => type === 'string' && format === undefined)
    .map(([field]) => `${method} ${url.replace('/api/app', '')} ${field}`)
}

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let owner: AppSession
/** An installation before its first run, for the names entered there. */
let emptyStore: TestDatabase
let emptyHttp: TestHttp
let stranger: AppSession
let setupSecret: string
beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  ;[acme] = await createScene(store.db)
  owner = await AppSession.signIn(http.url, acme.members.owner)
  emptyStore = await createTestDatabase()
  emptyHttp = await startTestHttp({ database: emptyStore, now: () => testNow })
  stranger = new AppSession(emptyHttp.url)
  setupSecret = (await issueSetupLink(emptyStore.db, testNow)) ?? ''
})
afterAll(async () => {
  await http.stop()
  await store.drop()
  await emptyHttp.stop()
  await emptyStore.drop()
})

const addressOf = (path: string): string =>
  path
    .replace(':slug', 'acme')
    .replace(':family', acme.families[0]?.id ?? '')
    .replace(':destination', acme.id)
    .replace(':advisory', acme.id)
    .replace(':number', '1')

describe('names that people type', () => {
  it('are known for every text in the body of every operation', () => {
    const known = [...named.map(({ path, name }) => `${path} ${name}`), ...namesNothing.keys()]
    expect(operations.flatMap(textFields).sort()).toEqual(known.sort())
  })

  it.each(named.map((one) => [`${one.path} ${one.name}`, one] as const))(
    'with a character that cannot be seen are refused with the field: %s',
    async (_name, { path, name, values, words = cannotBeSeen }) => {
      const [method = '', address = ''] = path.split(' ')
      const isSetup = path === 'POST /setup'
      for (const [character] of hidden) {
        const whole = String(values[name])
        const typed = `${whole.slice(0, 2)}${character}${whole.slice(2)}`
        const body = { ...values, ...(isSetup ? { secret: setupSecret } : {}), [name]: typed }
        const session = isSetup ? stranger : owner
        const answer = await session.send(addressOf(address), { method, body })
        expect(answer, JSON.stringify(typed)).toMatchObject({
          status: 400,
          body: { error: 'invalid_request', fields: { [name]: textLike(words) } },
        })
      }
    },
  )

  it.each(['sboms', 'vex'])('are refused as the version of what a member sends: %s', async (kind) => {
    const send = kind === 'vex' ? sendVex : sendSbom
    const params = { family: acme.families[0]?.id }
    for (const [character, code] of hidden) {
      const answer = await owner.refused(send, { params, query: { version: `1.${character}0` }, raw: '{}' })
      expect(answer).toMatchObject({
        status: 400,
        body: { fields: { version: `It contains an invisible character (${code}).` } },
      })
    }
  })

  it('leave nothing behind when they are refused', async () => {
    const families = await store.db.selectFrom('family').select('name').execute()
    expect(families.map(({ name }) => name).sort()).toEqual(['Pump 1', 'Pump 1', 'Pump 2', 'Pump 2'])
    const tokens = await store.db.selectFrom('token').select('name').where('kind', '=', 'workspace').execute()
    expect(tokens.map(({ name }) => name)).toEqual(['ops', 'ops'])
    expect(await emptyStore.db.selectFrom('person').select('id').execute()).toEqual([])
  })
})
