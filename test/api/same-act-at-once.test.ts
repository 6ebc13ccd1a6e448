import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeNoticeSettings } from '../../src/contract/notices/operations.ts'
import {
  createAdvisory,
  changeAdvisorySettings,
  setAdvisoryDraftState,
} from '../../src/contract/advisories/operations.ts'
import { addDestination, changeDestination } from '../../src/contract/alerts/operations.ts'
import {
  changeDisclosureSettings,
  changeReport,
  eraseReport,
  markDuplicate,
  showCredit,
} from '../../src/contract/disclosure/operations.ts'
import type { AppOperation } from '../../src/contract/operation.ts'
import { changeSignInSettings } from '../../src/contract/people/operations/sign-in.ts'
import {
  createFamily,
  makeVersionCurrent,
  renameFamily,
  restoreFamily,
  restoreVersion,
  retireVersion,
  archiveFamily,
} from '../../src/contract/products/operations.ts'
import { activateSbom } from '../../src/contract/sbom/operations.ts'
import { createToken } from '../../src/contract/tokens/operations.ts'
import { lockFamily } from '../../src/products/families/lock-family.ts'
import { lockWorkspace } from '../../src/workspace/workspaces.ts'
import { openDisclosureScene, type DisclosureScene } from '../disclosure/disclosure-scene.ts'
import type { AppSession } from '../support/app-session.ts'
import { npm } from '../support/parts.ts'
import { addSbom, addVersion } from '../support/rows.ts'
import { titledContent } from './operation-bodies.ts'
import { anyText } from '../support/expected.ts'
import { untilWaiting } from '../support/until-waiting.ts'

let scene: DisclosureScene
let sessions: [AppSession, AppSession]
let serial = 0

beforeAll(async () => {
  scene = await openDisclosureScene()
  sessions = [await scene.signIn(scene.acme, 'owner'), await scene.signIn(scene.acme, 'owner')]
})
afterAll(() => scene.close())

const newFamily = async () =>
  (await sessions[0].call(createFamily, { body: { name: `New ${(serial += 1)}` } })).id
const keyOf = (familyId: string) => ({ workspaceId: scene.acme.id, familyId })

async function reportNumber(): Promise<string> {
  const description = `Header number ${(serial += 1)} is written behind its buffer.`
  expect((await scene.report('acme', { title: `Overflow ${serial}`, description })).status).toBe(303)
  const row = await scene.database.db
    .selectFrom('inbox_report')
    .select('number')
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow()
  return String(row.number)
}

type Made = { params?: Record<string, string>; body?: unknown }
type Act = [name: string, known: AppOperation, make: () => Promise<Made>, recorded: number]

const acts: Act[] = [
  [
    'a new name',
    renameFamily,
    async () => ({ params: { family: await newFamily() }, body: { name: 'Renamed' } }),
    1,
  ],
  [
    'the current version',
    makeVersionCurrent,
    async () => {
      const family = await newFamily()
      return { params: { family, version: await addVersion(scene.database.db, keyOf(family), '1') } }
    },
    1,
  ],
  [
    'a version retired',
    retireVersion,
    async () => {
      const family = await newFamily()
      return { params: { family, version: await addVersion(scene.database.db, keyOf(family), '1') } }
    },
    1,
  ],
  [
    'a version restored',
    restoreVersion,
    async () => {
      const family = await newFamily()
      const params = { family, version: await addVersion(scene.database.db, keyOf(family), '1') }
      await sessions[0].call(retireVersion, { params })
      return { params }
    },
    1,
  ],
  [
    'an SBOM made active again',
    activateSbom,
    async () => {
      const family = keyOf(await newFamily())
      const sbom = await addSbom(scene.database.db, family, { parts: [npm('a', '1.0.0')] })
      await addSbom(scene.database.db, family, { parts: [npm('b', '1.0.0')] })
      return { params: { sbom } }
    },
    1,
  ],
  [
    'a duplicate',
    markDuplicate,
    async () => {
      const of = await reportNumber()
      return { params: { number: await reportNumber() }, body: { of: Number(of) } }
    },
    1,
  ],
  [
    'an embargo',
    changeReport,
    async () => ({ params: { number: await reportNumber() }, body: { embargoUntil: '2027-01-31' } }),
    1,
  ],
  [
    'a credit',
    showCredit,
    async () => {
      const number = await reportNumber()
      await sessions[0].call(changeReport, { params: { number }, body: { creditConsent: true } })
      return { params: { number }, body: { name: 'Ada', link: null } }
    },
    1,
  ],
  [
    'a review',
    setAdvisoryDraftState,
    async () => {
      const { id: advisory } = await sessions[0].call(createAdvisory, { body: { content: titledContent } })
      return { params: { advisory }, body: { revision: 1, state: 'in_review' } }
    },
    1,
  ],
  ['a prefix', changeAdvisorySettings, () => Promise.resolve({ body: { trackingPrefix: 'ONCE' } }), 1],
  [
    'a destination turned off',
    changeDestination,
    async () => {
      const url = 'https://hooks.acme.example/'
      const body = { kind: 'webhook', name: 'Once', url, events: ['report.received'] }
      const { id: destination } = await sessions[0].call(addDestination, { body })
      return { params: { destination }, body: { enabled: false } }
    },
    1,
  ],
  ['a policy', changeDisclosureSettings, () => Promise.resolve({ body: { policy: 'Once.' } }), 1],
  [
    'a choice of notices',
    changeNoticeSettings,
    () => Promise.resolve({ params: { slug: 'acme' }, body: { timeZone: 'Europe/Oslo' } }),
    1,
  ],
  [
    'a rule that is in force',
    changeSignInSettings,
    () => Promise.resolve({ body: { requiresSecondFactor: false } }),
    0,
  ],
]

const countActs = async () => {
  const rows = await scene.database.db.selectFrom('audit_event').select('id').execute()
  return rows.length
}

describe('an act that is sent six times at once, and once more later, is recorded once', () => {
  it.each(acts)('%s', async (_name, known, make, recorded) => {
    const made = (await make()) as { params: Record<string, string> }
    // proof of identity is valid for ten minutes, and reports have taken some
    sessions = [await scene.signIn(scene.acme, 'owner'), await scene.signIn(scene.acme, 'owner')]
    const before = await countActs()
    const send = (place: number) => (sessions[place % 2] ?? sessions[0]).ask(known, made)
    const answers = await Promise.all(Array.from({ length: 6 }, (_, place) => send(place)))
    answers.push(await send(0))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204))
    expect((await countActs()) - before).toBe(recorded)
  })
})

it('of families that are given one name at once, one has it and the others are refused', async () => {
  const families = await Promise.all(Array.from({ length: 6 }, newFamily))
  const answers = await Promise.all(
    families.map((family, place) =>
      (sessions[place % 2] ?? sessions[0]).ask(renameFamily, {
        params: { family },
        body: { name: 'Coveted' },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400, 400, 400, 400, 400])
  const refused = answers.find(({ status }) => status === 400)
  expect(refused?.body).toMatchObject({
    error: 'invalid_request',
    fields: { name: anyText },
  })
})

it('a report whose text is erased can no longer be marked as a duplicate', async () => {
  const [number, of] = [await reportNumber(), await reportNumber()]
  await sessions[0].call(eraseReport, { params: { number }, body: { confirmNumber: Number(number) } })
  const refused = await sessions[0].refused(markDuplicate, { params: { number }, body: { of: Number(of) } })
  expect(refused).toMatchObject({ status: 409, body: { error: 'conflict' } })
})

it('what is made below a family or a workspace does not wait for an act on these', async () => {
  const familyId = await newFamily()
  const body = { name: 'ci', kind: 'upload' as const, familyId, expiresInDays: null }
  const answer = await scene.database.db.transaction().execute(async (tx) => {
    await lockFamily(tx, keyOf(familyId))
    await lockWorkspace(tx, scene.acme.id)
    return sessions[0].ask(createToken, { body })
  })
  expect(answer.status).toBe(201)
})

it(
  'an act that PostgreSQL gives up for the sake of another one is done again',
  { timeout: 60_000 },
  async () => {
    const family = await newFamily()
    await sessions[0].call(archiveFamily, { params: { family } })
    const insert = (kind: string) =>
      `insert into job (kind, key, workspace_id, payload, state, run_at, created_at, max_attempts)
     values ('${kind}', '${family}', '${scene.acme.id}', '{}', 'waiting', now(), now(), 1)
     on conflict (kind, key) where state = 'waiting' and key is not null do update set run_at = excluded.run_at`
    const other = await scene.database.pool.connect()
    try {
      await other.query('begin')
      await other.query(insert('open_incidents'))
      const restored = sessions[0].ask(restoreFamily, { params: { family } })
      await untilWaiting(scene.database)
      // each of the two now waits for the other: one of them is aborted
      await other.query(insert('refresh_findings')).catch(() => undefined)
      await other.query('rollback')
      expect((await restored).status).toBe(204)
    } finally {
      other.release()
    }
  },
)
