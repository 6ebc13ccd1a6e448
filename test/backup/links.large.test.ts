import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { showMail } from '../../src/alerts/mail/list-mail.ts'
import { sendDueMails } from '../../src/alerts/mail/mailer.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing, type Sealing } from '../../src/platform/sealing/sealing.ts'
import { countAllUnusable, unusableInWords } from '../../src/views/operation/unusable.ts'
import { openPeopleScene, password, type PeopleScene } from '../people/people-scene.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { baseUrl, startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { checkoutDir } from '../support/test-server.ts'

const onProgress = () => undefined
const waiting = 'waits@new.example'
const otherSealing = createSealing(createKeyRing(parseKeys(newKeyText())))
const next = 'another long enough password'

let scene: PeopleScene
let folder: string
let file: string
/** Of links whose messages were sent before the backup. */
const sent = { invitation: '', reset: '', signUp: '', email: '' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'links-'))
  file = join(folder, 'backup.gz')
  scene = await openPeopleScene()
  const owner = await scene.signIn('owner')
  const visitor = new AppSession(scene.http.url)
  const post = async (session: AppSession, path: string, body: object) =>
    expect((await session.call(path, { method: 'POST', body })).status, path).toBeLessThan(300)
  const invite = (email: string) => post(owner, '/workspaces/acme/invitations', { email, role: 'viewer' })
  await invite('nora@new.example')
  await post(visitor, '/password-reset', { email: scene.emailOf('lead') })
  await post(visitor, '/sign-up', {
    ...{ name: 'Nils Newcomer', email: 'nils@wonka.example', companyName: 'Wonka', slug: 'wonka' },
    ...{ securityContactEmail: 's@wonka.example', timeZone: 'Europe/Oslo', acceptsTerms: true },
  })
  await post(owner, '/account/email', { email: 'owner@moved.example', password })
  sent.invitation = (await scene.letterTo('nora@new.example')).secret
  sent.reset = (await scene.letterTo(scene.emailOf('lead'), 'letter.password_reset')).secret
  sent.signUp = (await scene.letterTo('nils@wonka.example')).secret
  sent.email = (await scene.letterTo('owner@moved.example')).secret
  await invite(waiting)
  await writeBackup(scene.database.connection, { file, now: testNow, onProgress })
}, 120_000)
afterAll(async () => {
  await scene.close()
  await rm(folder, { recursive: true })
})

type Restored = { target: TestDatabase; http: TestHttp; visitor: AppSession; close: () => Promise<void> }

async function restore(sealing: Sealing): Promise<Restored> {
  const target = await createEmptyDatabase()
  const migrationsFolder = join(checkoutDir, 'database/migrations')
  await restoreBackup(target.connection, { file, migrationsFolder, onProgress })
  const http = await startTestHttp({ database: target, now: () => testNow, sealing })
  return {
    ...{ target, http, visitor: new AppSession(http.url) },
    close: async () => {
      await http.stop()
      await target.drop()
    },
  }
}

const invitationOf = (secret: string) => ({ secret, name: 'Nora New', password })

/** Uses every link that was sent before; the states of the answers. */
async function useAll({ visitor }: Restored): Promise<Record<string, number>> {
  const post = async (path: string, body: object) =>
    (await visitor.call(path, { method: 'POST', body })).status
  return {
    email: await post('/account/email/confirm', { secret: sent.email }),
    reset: await post('/password-reset/complete', { secret: sent.reset, newPassword: next }),
    invitation: await post('/invitations/accept', invitationOf(sent.invitation)),
    signUp: await post('/sign-up/complete', { secret: sent.signUp, slug: 'wonka', password }),
  }
}

/** Sends what waited when the backup was made; the message to whoever was invited last. */
async function sendWaiting({ target: { db } }: Restored, sealing: Sealing) {
  await drain(db, testNow)
  const place = { serviceName: 'SBOM Monitor', baseUrl, messageDomain: 'monitor.example', name: 'test' }
  const log = pino({ level: 'silent' })
  await sendDueMails({ ...place, db, sealing, log, now: () => testNow, transport: null })
  const mail = await db
    .selectFrom('mail')
    .select(['id', 'state', 'reason'])
    .where('recipient', '=', waiting)
    .executeTakeFirstOrThrow()
  const shown = await showMail({ ...place, db, sealing }, { id: mail.id, now: testNow })
  return { ...mail, secret: /#([\w-]{43})/.exec(shown?.text ?? '')?.[1] ?? null }
}

describe('in a restored backup', () => {
  it('with the same keys every link works, and a message that waited brings its own', async () => {
    const restored = await restore(testSealing)
    const { target, visitor } = restored
    try {
      const unusable = await countAllUnusable({ db: target.db, sealing: testSealing })
      expect(unusable.unusableLinks).toBe(0)
      expect(await useAll(restored)).toEqual({ email: 200, reset: 204, invitation: 200, signUp: 200 })
      expect(await useAll(restored)).toEqual({ email: 404, reset: 404, invitation: 404, signUp: 404 })
      await AppSession.signIn(restored.http.url, { email: scene.emailOf('lead'), password: next })
      const { secret } = await sendWaiting(restored, testSealing)
      const body = { ...invitationOf(secret ?? ''), name: 'Nobody New' }
      expect((await visitor.call('/invitations/accept', { method: 'POST', body })).status).toBe(200)
    } finally {
      await restored.close()
    }
  }, 120_000)

  it('with other keys the links that were sent work, and the rest is said to wait for the key', async () => {
    const restored = await restore(otherSealing)
    const { target, http } = restored
    try {
      const unusable = await countAllUnusable({ db: target.db, sealing: otherSealing })
      expect(unusable.unusableLinks).toBe(5)
      expect(unusableInWords(unusable).filter((line) => line.startsWith('5 links of messages'))).toEqual([
        expect.stringContaining('those that were sent still work'),
      ])
      expect(await sendWaiting(restored, otherSealing)).toMatchObject({ secret: null })
      const owner = await AppSession.signIn(http.url, { email: scene.emailOf('owner'), password })
      const more = { method: 'POST', body: { email: 'more@new.example', role: 'viewer' } } as const
      expect(await owner.call('/workspaces/acme/invitations', more)).toMatchObject({
        status: 503,
        body: { error: 'not_configured' },
      })
      expect(await useAll(restored)).toEqual({ email: 200, reset: 204, invitation: 200, signUp: 200 })
      // the key returns
      expect((await countAllUnusable({ db: target.db, sealing: testSealing })).unusableLinks).toBe(0)
      expect((await sendWaiting(restored, testSealing)).secret).not.toBeNull()
    } finally {
      await restored.close()
    }
  }, 120_000)
})
