import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptInvitation, invite } from '../../src/contract/people/operations/members.ts'
import {
  confirmEmailChange,
  requestEmailChange,
  requestReset,
  resetPassword,
} from '../../src/contract/people/operations/profile.ts'
import { completeSignUp, requestSignUp } from '../../src/contract/people/operations/sign-up.ts'
import { showMail } from '../../src/notices/mail/list-mail.ts'
import { sendDueMails } from '../../src/notices/mail/mailer.ts'
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
/** Links whose messages were sent before the backup. */
const sent = { invitation: '', reset: '', signUp: '', email: '' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'links-'))
  file = join(folder, 'backup.gz')
  scene = await openPeopleScene()
  const owner = await scene.signIn('owner')
  const visitor = new AppSession(scene.http.url)
  await owner.call(invite, { body: { email: 'nora@new.example', role: 'viewer' } })
  await visitor.call(requestReset, { body: { email: scene.emailOf('lead') } })
  await visitor.call(requestSignUp, {
    body: {
      name: 'Nils Newcomer',
      email: 'nils@wonka.example',
      companyName: 'Wonka',
      slug: 'wonka',
      securityContactEmail: 's@wonka.example',
      timeZone: 'Europe/Oslo',
      acceptsTerms: true,
    },
  })
  await owner.call(requestEmailChange, { body: { email: 'owner@moved.example', password } })
  sent.invitation = (await scene.letterTo('nora@new.example')).secret
  sent.reset = (await scene.letterTo(scene.emailOf('lead'), 'letter.password_reset')).secret
  sent.signUp = (await scene.letterTo('nils@wonka.example')).secret
  sent.email = (await scene.letterTo('owner@moved.example')).secret
  await owner.call(invite, { body: { email: waiting, role: 'viewer' } })
  await writeBackup(scene.database.connection, { file, now: testNow, onProgress })
})
afterAll(async () => {
  await scene.close()
  await rm(folder, { recursive: true })
})

type Restored = { target: TestDatabase; http: TestHttp; visitor: AppSession; close: () => Promise<void> }

async function restore(sealing: Sealing): Promise<Restored> {
  const target = await createEmptyDatabase()
  const migrationsFolder = join(checkoutDir, 'database/migrations')
  await restoreBackup(target.direct, { file, migrationsFolder, onProgress })
  const http = await startTestHttp({ database: target, now: () => testNow, sealing })
  return {
    target,
    http,
    visitor: new AppSession(http.url),
    close: async () => {
      await http.stop()
      await target.drop()
    },
  }
}

const invitationOf = (secret: string) => ({ secret, name: 'Nora New', password })

/** Uses every link sent before; returns the statuses. */
async function useAll({ visitor }: Restored): Promise<Record<string, number>> {
  const reset = { secret: sent.reset, newPassword: next }
  const signUp = { secret: sent.signUp, slug: 'wonka', password }
  return {
    email: (await visitor.ask(confirmEmailChange, { body: { secret: sent.email } })).status,
    reset: (await visitor.ask(resetPassword, { body: reset })).status,
    invitation: (await visitor.ask(acceptInvitation, { body: invitationOf(sent.invitation) })).status,
    signUp: (await visitor.ask(completeSignUp, { body: signUp })).status,
  }
}

/** Sends the messages pending at the time of the backup; returns the one to the last person invited. */
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
      await visitor.call(acceptInvitation, { body })
    } finally {
      await restored.close()
    }
  })

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
      const more = { email: 'more@new.example', role: 'viewer' } as const
      expect(await owner.refused(invite, { body: more })).toMatchObject({
        status: 503,
        body: { error: 'not_configured' },
      })
      expect(await useAll(restored)).toEqual({ email: 200, reset: 204, invitation: 200, signUp: 200 })
      // the key is back
      expect((await countAllUnusable({ db: target.db, sealing: testSealing })).unusableLinks).toBe(0)
      expect((await sendWaiting(restored, testSealing)).secret).not.toBeNull()
    } finally {
      await restored.close()
    }
  })
})
