import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError, type ErrorCode } from '../../src/contract/errors.ts'
import {
  archiveFamily,
  deleteFamily,
  renameFamily,
  restoreFamily,
} from '../../src/products/families/change-family.ts'
import { createFamily } from '../../src/products/families/create-family.ts'
import { authenticate } from '../../src/products/tokens/authenticate.ts'
import { createToken } from '../../src/products/tokens/create-token.ts'
import { listTokens } from '../../src/products/tokens/list-tokens.ts'
import { revokeToken } from '../../src/products/tokens/revoke-token.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'
import { tester } from '../support/actors.ts'

let store: TestDatabase
let acme: TestWorkspace
let umbrella: TestWorkspace
beforeAll(async () => {
  store = await createTestDatabase()
  ;[acme, umbrella] = await createScene(store.db, { families: 6 })
})
afterAll(() => store.drop())

async function codeOf(run: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await run
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

const asUpload = (secret: string | undefined, now = testNow) =>
  authenticate(store.db, { secret, kinds: ['upload'], now })

const family = (index: number) => {
  const found = acme.families[index]
  if (found === undefined) throw new Error(`no family ${index}`)
  return found
}

const after = (ms: number) => new Date(testNow.getTime() + ms)

describe('the token step', () => {
  it.each([
    ['nothing', undefined],
    ['another prefix', `abc_${'a'.repeat(43)}`],
    ['an unknown token', `svc_${'a'.repeat(43)}`],
    ['too long', `svc_${'a'.repeat(5000)}`],
  ])('refuses %s', async (_name, secret) => {
    expect(await codeOf(asUpload(secret))).toBe('unauthorized')
  })

  it('refuses kinds that the operation does not take, without counting them', async () => {
    expect(await codeOf(asUpload(acme.workspaceToken))).toBe('unauthorized')
    expect(await codeOf(asUpload(family(0).results))).toBe('unauthorized')
    expect(await store.db.selectFrom('token_use').select('token_id').execute()).toEqual([])
  })

  it('lets exactly sixty of five hundred at once pass, and says when the window ends', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, () => codeOf(asUpload(family(1).upload, after(1_000)))),
    )
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(60)
    expect(outcomes.filter((code) => code === 'rate_limited')).toHaveLength(440)
    await expect(asUpload(family(1).upload, after(2_000))).rejects.toMatchObject({ retryAfterSeconds: 3_599 })
    await expect(asUpload(family(1).upload, after(3_600_999))).rejects.toMatchObject({ retryAfterSeconds: 1 })
    expect(await codeOf(asUpload(family(1).upload, after(3_601_000)))).toBeUndefined()
  })

  describe('with the clock set back', () => {
    const spend = async (index: number, now: Date) => {
      for (let request = 0; request < 60; request += 1) await asUpload(family(index).upload, now)
    }

    it('ends a window that was opened in the future', async () => {
      await spend(2, after(7_200_000))
      expect(await codeOf(asUpload(family(2).upload, after(7_200_000)))).toBe('rate_limited')
      expect(await codeOf(asUpload(family(2).upload, after(0)))).toBeUndefined()
    })

    it('counts on in one that a process whose clock is ahead has opened; nobody waits longer than a window', async () => {
      await spend(3, after(30_000))
      await expect(asUpload(family(3).upload, after(0))).rejects.toMatchObject({ retryAfterSeconds: 3_600 })
      await expect(asUpload(family(3).upload, after(3_599_000))).rejects.toMatchObject({
        retryAfterSeconds: 1,
      })
      expect(await codeOf(asUpload(family(3).upload, after(3_600_000)))).toBeUndefined()
    })
  })

  it('notes the last use of refused requests too', async () => {
    const [token] = (await listTokens(store.db, acme.id, after(5_000_000))).filter(
      (row) => row.family?.id === family(1).id && row.kind === 'upload',
    )
    expect(token?.lastUsedAt).toBe(after(3_601_000).toISOString())
  })

  it('refuses expired tokens from the very instant', async () => {
    const { secret } = await createToken(store.db, {
      workspaceId: acme.id,
      kind: 'upload',
      familyId: family(0).id,
      name: 'short',
      expiresAt: after(10),
      actor: tester,
      now: testNow,
    })
    expect(await codeOf(asUpload(secret, after(9)))).toBeUndefined()
    expect(await codeOf(asUpload(secret, after(10)))).toBe('unauthorized')
  })

  it('follows the family: archived 401, restored works, deleted 404', async () => {
    const act = { workspaceId: acme.id, familyId: family(2).id, actor: tester, now: testNow }
    await archiveFamily(store.db, act)
    expect(await codeOf(asUpload(family(2).upload))).toBe('unauthorized')
    expect(
      (await listTokens(store.db, acme.id, testNow)).some((row) => row.family?.id === family(2).id),
    ).toBe(false)
    await restoreFamily(store.db, act)
    expect(await codeOf(asUpload(family(2).upload))).toBeUndefined()
    expect(await codeOf(deleteFamily(store.db, { ...act, confirmName: 'Pump 3' }))).toBe('conflict')
    await archiveFamily(store.db, act)
    expect(await codeOf(deleteFamily(store.db, { ...act, confirmName: 'Pump' }))).toBe('invalid_request')
    await deleteFamily(store.db, { ...act, confirmName: 'Pump 3' })
    expect(await codeOf(asUpload(family(2).upload))).toBe('family_not_found')
    expect(await codeOf(renameFamily(store.db, { ...act, name: 'x' }))).toBe('not_found')
  })

  it('revokes for good', async () => {
    const [row] = (await listTokens(store.db, acme.id, testNow)).filter(
      (token) => token.family?.id === family(3).id && token.kind === 'upload',
    )
    const act = { tokenId: row?.id ?? '', actor: tester, now: testNow }
    expect(await codeOf(revokeToken(store.db, { ...act, workspaceId: umbrella.id }))).toBe('not_found')
    expect(await codeOf(asUpload(family(3).upload))).toBeUndefined()
    await revokeToken(store.db, { ...act, workspaceId: acme.id })
    await revokeToken(store.db, { ...act, workspaceId: acme.id })
    expect(await codeOf(asUpload(family(3).upload))).toBe('unauthorized')
    const events = await store.db
      .selectFrom('audit_event')
      .select('action')
      .where('object_id', '=', act.tokenId)
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual(['token.created', 'token.revoked'])
  })

  it('stores no secret', async () => {
    const { rows } = await store.pool.query<{ row: string }>(
      'select t::text as row from token t union all select a::text from audit_event a',
    )
    const text = rows.map(({ row }) => row).join('\n')
    expect(text).not.toContain(family(0).upload)
    expect(text).not.toContain(family(0).upload.slice(10))
  })
})

describe('families', () => {
  it('have names of their own, without regard to case', async () => {
    const order = { workspaceId: acme.id, actor: tester, now: testNow }
    expect(await codeOf(createFamily(store.db, { ...order, name: ' pump 1 ' }))).toBe('invalid_request')
    expect(await codeOf(createFamily(store.db, { ...order, name: '' }))).toBe('invalid_request')
    expect(await codeOf(renameFamily(store.db, { ...order, familyId: family(0).id, name: 'PUMP 2' }))).toBe(
      'invalid_request',
    )
    expect(
      await codeOf(renameFamily(store.db, { ...order, familyId: family(0).id, name: 'PUMP 1' })),
    ).toBeUndefined()
  })

  it('cannot be reached from another workspace', async () => {
    const act = { workspaceId: umbrella.id, familyId: family(0).id, actor: tester, now: testNow }
    expect(await codeOf(archiveFamily(store.db, act))).toBe('not_found')
    expect(await codeOf(renameFamily(store.db, { ...act, name: 'mine' }))).toBe('not_found')
  })
})
