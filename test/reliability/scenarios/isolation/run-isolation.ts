import { request } from 'undici'
import type { AppOperation } from '#contract/operation.ts'
import type { Db } from '../../../../src/database/connection.ts'
import { AppSession } from '../../../support/app-session.ts'
import { readOperations } from '../../../support/app-operations.ts'
import type { Route, TestHttp } from '../../../support/http.ts'
import { createScene, type TestWorkspace } from '../../../support/scene.ts'
import type { Outcome } from '../outcome.ts'
import { openAskers, type Asker } from './askers.ts'
import { entries, mayChangeElsewhere } from './entries.ts'
import { fillWorkspace, privateMark, type Values } from './fill-workspace.ts'
import {
  hasUntriedId,
  nameOf,
  parametersOf,
  put,
  root,
  trialsOf,
  type Both,
  type Sent,
  type Trial,
} from './requests.ts'
import { changedTables, readStoredRows, selectIds, type StoredRows } from './stored-rows.ts'

export type IsolationOrder = {
  /** Behind a proxy that passes on the client address, so that no per-address limit ends the trial. */
  http: Pick<TestHttp, 'url' | 'routes'>
  db: Db
  /** What is requested for comparison with another workspace's things. */
  kinds: readonly ('missing' | 'random')[]
  /** Compares the rows after every route, to name the one that changed them; else once at the end. */
  comparesEach: boolean
}

type Answer = { status: number; text: string }

/**
 * Strangers ask every route for things of another workspace, by its address, below their own, in queries and in bodies: they get the same
 * answers as for things that do not exist, see nothing of it and change nothing in it.
 */
export async function runIsolation(order: IsolationOrder): Promise<Outcome> {
  const { db, http } = order
  const place = { url: http.url, db }
  const [acme, umbrella] = await createScene(db)
  const own = await fillWorkspace({ ...place, workspace: acme })
  const foreign = await fillWorkspace({ ...place, workspace: umbrella })
  const askers = await openAskers(place, acme)
  const hidden = await hiddenTexts(db, umbrella)
  const setting = { both: { own, foreign }, foreignId: umbrella.id, askers, hidden }
  const trying = new Trying(order, { ...setting, operations: await byRoute() })
  await trying.all()
  return trying.outcome(await lookAsOwner(order, umbrella, foreign))
}

/** Ids and words that no answer to a stranger contains, and those that not even public pages contain. */
async function hiddenTexts(db: Db, { id, slug }: TestWorkspace): Promise<Hidden> {
  const always = [privateMark(slug), `owner of ${slug}`, `viewer of ${slug}`, `owner@${slug}`, `new@${slug}`]
  const ids = await selectIds(db, id)
  return { always, unlessPublished: [`${slug} company`, `Told by ${slug}`, ...ids], rows: ids }
}

type Hidden = { always: string[]; unlessPublished: string[]; rows: string[] }
type Setting = {
  both: Both
  askers: Asker[]
  hidden: Hidden
  /** The workspace to which they are strangers. */
  foreignId: string
  /** The application's operations, by method and address. */
  operations: ReadonlyMap<string, AppOperation>
}

async function byRoute(): Promise<Map<string, AppOperation>> {
  const operations = [...(await readOperations()).values()]
  return new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
}

class Trying {
  readonly #order: IsolationOrder
  readonly #setting: Setting
  readonly #failures: string[] = []
  readonly #figures = { routes: 0, withoutEntry: 0, requests: 0, leaks: 0, changes: 0 }

  constructor(order: IsolationOrder, setting: Setting) {
    this.#order = order
    this.#setting = setting
  }

  outcome(read: string[]): Outcome {
    const { askers } = this.#setting
    return {
      figures: { ...this.#figures, askers: askers.length },
      failures: [...this.#failures, ...read],
    }
  }

  async all(): Promise<void> {
    const { http, comparesEach } = this.#order
    const routes = http.routes.filter(({ method }) => method !== 'HEAD')
    const names = routes.map(nameOf)
    let before = await this.#read()
    for (const [index, route] of routes.entries()) {
      await this.#tryRoute(route)
      const isLast = index === routes.length - 1
      if (!comparesEach && !isLast) continue
      const after = await this.#read()
      const tried = comparesEach ? [nameOf(route)] : names
      this.#judgeChanges(tried, changedTables(before, after))
      before = after
    }
  }

  #read(): Promise<StoredRows> {
    return readStoredRows(this.#order.db, this.#setting.foreignId, this.#mentioned())
  }

  /** Ids that identify rows of the other workspace or its members. */
  #mentioned(): string[] {
    const { foreign } = this.#setting.both
    const ids = Object.values(foreign).filter((value) => value.length > 20)
    return [...new Set([...ids, `${foreign['slug']}.example`, ...this.#setting.hidden.rows])]
  }

  #judgeChanges(routes: string[], changed: string[]): void {
    const allowed = routes.flatMap((name) =>
      Object.keys(entries[name]?.mayChange ?? mayChangeElsewhere[name] ?? {}),
    )
    const tables = changed.filter(
      (table) => !allowed.includes(table) && !allowed.includes(table.replace(' elsewhere', '')),
    )
    this.#figures.changes += tables.length
    const who = routes.length === 1 ? routes.join() : 'one of the routes'
    if (tables.length > 0) this.#failures.push(`${who} changed ${tables.join(', ')}`)
  }

  async #tryRoute(route: Route): Promise<void> {
    const { both, askers } = this.#setting
    const name = nameOf(route)
    const operation = this.#setting.operations.get(name)
    const trials = trialsOf(route, { both, operation, kinds: this.#order.kinds })
    this.#figures.routes += 1
    const unknown = route.url.startsWith(root)
      ? parametersOf(route.url).filter((parameter) => both.foreign[parameter] === undefined)
      : []
    const hasUntried = operation !== undefined && hasUntriedId(route, operation)
    if (trials === undefined || unknown.length > 0 || hasUntried) {
      this.#figures.withoutEntry += 1
      this.#failures.push(`${name} has no entry ${unknown.join(', ')}`.trim())
    }
    for (const trial of trials ?? []) for (const asker of askers) await this.#tryOne({ name, trial, asker })
  }

  async #tryOne({ name, trial, asker }: { name: string; trial: Trial; asker: Asker }): Promise<void> {
    const entry = entries[name]
    const answer = await this.#ask(asker, trial.foreign)
    const where = `${asker.name}: ${trial.foreign.method} ${trial.foreign.path}`
    const found = this.#leaksIn(answer.text, trial.foreign, entry?.shows === 'published')
    const failures = [
      ...found.map((text) => `${where} shows ${text}`),
      ...(answer.status >= 500 ? [`${where} was answered ${answer.status}`] : []),
      ...unexpected(trial, asker, answer).map((why) => `${where} ${why}`),
    ]
    if (entry?.endsSession === true) await asker.signInAgain()
    if (entry?.shows !== 'published') {
      for (const control of trial.controls) {
        if (control.path === trial.foreign.path && isSame(control.body, trial.foreign.body)) continue
        const other = await this.#ask(asker, control)
        if (!isAlike(answer, other, { sent: trial.foreign, control }))
          failures.push(`${where} is answered ${short(answer)}, and ${control.path} ${short(other)}`)
      }
    }
    this.#figures.leaks += failures.length
    this.#failures.push(...failures)
  }

  #leaksIn(text: string, { path, body }: Sent, isPublished: boolean): string[] {
    const { always, unlessPublished } = this.#setting.hidden
    const asked = path + JSON.stringify(body ?? '')
    const forbidden = isPublished ? always : [...always, ...unlessPublished]
    return forbidden.filter((one) => text.includes(one) && !asked.includes(one))
  }

  async #ask(asker: Asker, { method, path, body }: Sent): Promise<Answer> {
    this.#figures.requests += 1
    const number = this.#figures.requests
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    const response = await request(`${this.#order.http.url}${path}`, {
      method: method as 'GET',
      headers: {
        ...asker.headers(),
        'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
        ...(body === undefined
          ? {}
          : { 'content-type': isRaw ? 'application/octet-stream' : 'application/json' }),
      },
      body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
    })
    const cookies = String(response.headers['location'] ?? '')
    return { status: response.statusCode, text: (await response.body.text()) + cookies }
  }
}

function unexpected({ expects }: Trial, { isMember }: Asker, { status, text }: Answer): string[] {
  if (expects === 'alike') return []
  const isRefused = isMember
    ? expects === 'hidden'
      ? status === 404 && text.includes('"not_found"')
      : status >= 400
    : status === 401 && text.includes('"signed_out"')
  return isRefused ? [] : [`was answered ${status} ${text.slice(0, 80)}`]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Answers may echo the request. */
function isAlike(one: Answer, other: Answer, { sent, control }: { sent: Sent; control: Sent }): boolean {
  return one.status === other.status && withoutAsked(one.text, sent) === withoutAsked(other.text, control)
}

function withoutAsked(text: string, { path, body }: Sent): string {
  const words = (path + JSON.stringify(body ?? '')).match(/[\w@.-]{9,}/g) ?? []
  return words.reduce((rest, word) => rest.replaceAll(word, '…'), text)
}

function short({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 100)}`
}

/** Required query values, by the end of the path: the first component of a family has number 1. */
const mustSay = new Map([['paths', '?component=1']])

/** A member sees what the strangers did not: otherwise nothing was hidden. */
async function lookAsOwner(
  order: IsolationOrder,
  workspace: TestWorkspace,
  values: Values,
): Promise<string[]> {
  const owner = await AppSession.signIn(order.http.url, workspace.members.owner)
  const unread: string[] = []
  for (const { method, url } of order.http.routes) {
    if (method !== 'GET' || !url.startsWith(root)) continue
    const path = put(url, values).replace('/api/app', '')
    const { status } = await owner.send(path + (mustSay.get(path.slice(path.lastIndexOf('/') + 1)) ?? ''))
    if (status >= 300) unread.push(`the owner of it is answered ${status} at ${path}`)
  }
  return unread
}
