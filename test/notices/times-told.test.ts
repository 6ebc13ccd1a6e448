import { afterAll, beforeAll, expect, it } from 'vitest'
import { listBell } from '../../src/contract/notices/operations.ts'
import { AppSession } from '../support/app-session.ts'
import { drain } from '../support/drain.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { facts } from './facts.ts'
import { createNoticeScene, emailOf, password, type NoticeScene } from './notice-scene.ts'

let scene: NoticeScene
let http: TestHttp
beforeAll(async () => {
  scene = await createNoticeScene()
  http = await startTestHttp({ database: scene.database, now: () => scene.now, sendsMail: false })
})
afterAll(async () => {
  await http.stop()
  await scene.drop()
})

const signIn = (role: Parameters<typeof emailOf>[0]) =>
  AppSession.signIn(http.url, { email: emailOf(role), password })

it('the bell and mail write times in the zone of the member, or of the workspace where none is chosen', async () => {
  const { db } = scene.database
  await db.updateTable('workspace').set({ time_zone: 'Europe/Oslo' }).where('slug', '=', 'acme').execute()
  await scene.choose('lead', {}, 'Asia/Kathmandu')
  await scene.emit(facts['deadline.warning'])
  await drain(db, scene.now)
  const written = async (role: 'owner' | 'lead') => {
    const { rows } = await (await signIn(role)).call(listBell)
    const { subject } = await db
      .selectFrom('mail')
      .select('subject')
      .where('recipient', '=', emailOf(role))
      .where('kind', '=', 'deadline.warning')
      .executeTakeFirstOrThrow()
    return { bell: rows.find(({ kind }) => kind === 'deadline.warning')?.headline, mail: subject }
  }
  const due = 'Early warning for INC-2026-0001 is due'
  expect(await written('owner')).toEqual({
    bell: `${due} 2 Jan 2026, 01:00 CET`,
    mail: `${due} 2 Jan 2026, 01:00 CET (00:00 UTC)`,
  })
  expect(await written('lead')).toEqual({
    bell: `${due} 2 Jan 2026, 05:45 GMT+5:45`,
    mail: `${due} 2 Jan 2026, 05:45 GMT+5:45 (00:00 UTC)`,
  })
})
