import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changePassword } from '../../src/contract/people/operations/account.ts'
import { PasswordSemaphore } from '../../src/people/password-semaphore.ts'
import { signIn as signInPerson } from '../../src/people/sign-in.ts'
import { createToken } from '../../src/products/tokens/create-token.ts'
import { revokeToken } from '../../src/products/tokens/revoke-token.ts'
import { AppSession } from '../support/app-session.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createNoticeScene, emailOf, password, type NoticeScene } from './notice-scene.ts'
import { tester } from '../support/actors.ts'

let scene: NoticeScene
let http: TestHttp

beforeAll(async () => {
  scene = await createNoticeScene()
  http = await startTestHttp({ database: scene.database, now: () => scene.now })
})
afterAll(async () => {
  await http.stop()
  await scene.drop()
})

describe('security mail', () => {
  it('comes of a sign-in from a new address, a changed password, and tokens made and revoked', async () => {
    const { db } = scene.database
    const from = async (address: string) => {
      const deps = { db, passwords: new PasswordSemaphore() }
      const attempt = { email: emailOf('admin'), address, requestId: 'r', now: scene.now }
      await signInPerson(deps, { ...attempt, password, replacedSecret: undefined })
      await scene.settle()
      return (await scene.mailed('sign_in.new_address')).length
    }
    const mails = []
    for (const address of [
      '192.0.2.9',
      '192.0.2.9',
      '2001:db8::1',
      '2001:db8::2',
      '192.0.2.10',
      '192.0.2.9',
    ]) {
      mails.push(await from(address))
    }
    // a customer's IPv6 network counts as one place
    expect(mails).toEqual([1, 1, 2, 2, 3, 3])
    const admin = await AppSession.signIn(http.url, { email: emailOf('admin'), password })
    await admin.call(changePassword, { body: { currentPassword: password, newPassword: `${password}!` } })
    await admin.call(changePassword, { body: { currentPassword: `${password}!`, newPassword: password } })
    await scene.settle()
    expect(await scene.mailed('password.changed')).toEqual(['admin kept', 'admin kept'])
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    const made = await createToken(db, {
      workspaceId: scene.workspaceId,
      kind: 'upload',
      familyId: family.id,
      name: 'ops <1>',
      expiresAt: null,
      actor: { kind: 'person', id: scene.people.lead, name: 'lead' },
      now: scene.now,
    })
    await revokeToken(db, { workspaceId: scene.workspaceId, tokenId: made.id, actor: tester, now: scene.now })
    await scene.settle()
    expect(await scene.mailed('token.created')).toEqual(['admin kept', 'lead kept', 'owner kept'])
    expect(await scene.mailed('token.revoked')).toEqual(['admin kept', 'lead kept', 'owner kept'])
    const texts = await db.selectFrom('mail').select('text').where('kind', '=', 'token.created').execute()
    for (const { text } of texts) expect(text).not.toContain(made.secret)
  })
})
