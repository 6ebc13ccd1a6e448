import { createHmac, hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { AppOperation } from '../../../contract/operation.ts'
import type { Permission } from '../../../contract/roles.ts'
import type { Tx } from '../../../database/connection.ts'
import { beginningWith } from '../../../database/beginning-with.ts'
import {
  giveBackActKey,
  keepAnswer,
  selectDoneAct,
  takeActKey,
  type ActKey,
  type DoneAct,
} from '../../../workspace/act-keys.ts'
import { lockRole } from '../../../workspace/lock-role.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Member } from './member.ts'

type Act = { request: FastifyRequest; caller: object; body: unknown }

/** The largest answer that is kept. */
const maxAnswerCharacters = 16_000
const maxLooks = 20
const betweenLooksMs = 50

/** The act was done by another request with its key. */
class DoneMeanwhile extends Error {}

/**
 * Does an act of a member. Their role is locked in each of its transactions until it ends, so an act is refused whose right was lost since it was let in. With an
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) the key is stored by its first transaction, and the same request is answered alike for
 * a day without doing it again. Codes: `forbidden`, `invalid_request` (the key), `conflict` (done, and its answer is not kept), and those of the act.
 */
export async function asAct(
  known: AppOperation,
  deps: HttpDeps,
  { request, caller, body }: Act,
  work: (deps: HttpDeps) => Promise<unknown>,
): Promise<unknown> {
  if (known.method === 'GET' || !isMember(caller)) return work(deps)
  const lock = (tx: Tx) => lockRoleFor(tx, known, caller, body)
  const key = keyOf(known, { request, caller, body })
  if (key === null) return work({ ...deps, db: beginningWith(deps.db, { begin: lock }) })
  const doneBefore = await selectDoneAct(deps.db, key)
  if (doneBefore !== undefined) return answerAgain(known, key, doneBefore)
  try {
    return await doOnce(known, deps, { key, lock, work })
  } catch (error) {
    if (!(error instanceof DoneMeanwhile)) throw error
    return answerAgain(known, key, await selectDoneMeanwhile(known, deps, key))
  }
}

/** What the other request answers is kept a moment after its transaction. */
async function selectDoneMeanwhile(known: AppOperation, { db }: HttpDeps, key: ActKey): Promise<DoneAct> {
  for (let looks = 1; ; looks += 1) {
    const done = await selectDoneAct(db, key)
    const isWhole = done !== undefined && (done.answer !== null || !isKept(known))
    if (isWhole || (done !== undefined && looks === maxLooks)) return done
    // its later part has failed meanwhile
    if (done === undefined) throw new ServiceError('conflict')
    await sleep(betweenLooksMs)
  }
}

type Keyed = {
  key: ActKey
  lock: (tx: Tx) => Promise<void>
  work: (deps: HttpDeps) => Promise<unknown>
}

async function doOnce(known: AppOperation, deps: HttpDeps, { key, lock, work }: Keyed): Promise<unknown> {
  const state: { isTaken: boolean } = { isTaken: false }
  const db = beginningWith(deps.db, {
    begin: async (tx) => {
      await lock(tx)
      if (!state.isTaken && !(await takeActKey(tx, key))) throw new DoneMeanwhile()
    },
    committed: () => {
      state.isTaken = true
    },
  })
  const result = await work({ ...deps, db }).catch(async (error: unknown) => {
    if (state.isTaken) await giveBackActKey(deps.db, key)
    throw error
  })
  if (state.isTaken) await keep(known, deps, key, result)
  return result
}

function isMember(caller: object): caller is Member {
  return 'workspaceId' in caller
}

function keyOf(known: AppOperation, { request, caller, body }: Act & { caller: Member }): ActKey | null {
  const given = request.headers['idempotency-key']
  if (given === undefined || known.method !== 'POST' || known.body === 'file') return null
  const key = /^"([\w-]{16,64})"$/.exec(String(given))?.[1]
  if (key === undefined)
    throw new ServiceError('invalid_request', {
      message: 'Idempotency-Key must be 16 to 64 letters, digits, "-" or "_" in quotation marks.',
    })
  const { workspaceId, person, now } = caller
  // the body may have a password: without the key, which is stored nowhere as it is, none can be tried
  const act = createHmac('sha256', key)
    .update(JSON.stringify([request.url, body ?? null]))
    .digest()
  return { workspaceId, personId: person.personId, key: hash('sha256', key, 'base64url'), act, now }
}

/** Members are managed under locks of their own, and what needs no role needs none to last. */
async function lockRoleFor(
  tx: Tx,
  { permission }: AppOperation,
  { workspaceId, actor }: Member,
  body: unknown,
): Promise<void> {
  const needed = typeof permission === 'function' ? permission(body as never) : permission
  if (needed === 'any_member' || needed === 'manage_members') return
  await lockRole(tx, { workspaceId, actor }, needed as Permission | readonly Permission[])
}

function answerAgain({ answer }: AppOperation, key: ActKey, done: DoneAct): unknown {
  if (!done.act.equals(key.act))
    throw new ServiceError('invalid_request', { message: 'This Idempotency-Key belongs to another request.' })
  if (done.answer !== null) return done.answer
  if (typeof answer === 'object' && answer.status === 204) return undefined
  throw new ServiceError('conflict', {
    message:
      'This was begun or done already, and what it answered cannot be shown again. Reload the page to see it.',
  })
}

function isKept({ answer, answersSecret }: AppOperation): boolean {
  return typeof answer === 'object' && answer.schema !== null && !answersSecret
}

/** The act is done, whatever becomes of its answer. */
async function keep(known: AppOperation, { db, log }: HttpDeps, key: ActKey, result: unknown): Promise<void> {
  if (!isKept(known)) return
  const answer = JSON.stringify(result)
  if (answer.length > maxAnswerCharacters) return
  try {
    await keepAnswer(db, key, answer)
  } catch (err) {
    log.warn({ err }, 'what an act answered is not kept')
  }
}
