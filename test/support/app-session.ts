import { request, type Dispatcher } from 'undici'
import type { ErrorBody } from '../../src/contract/errors.ts'
import type {
  Answer as Promised,
  AnswerOf,
  AppOperation,
  BodyOf,
  ParametersOf,
  QueryOf,
} from '../../src/contract/operation.ts'
import { signIn } from '../../src/contract/people/operations/session.ts'
import type { Answer } from './http.ts'
import { refuseMisfit } from './judge-answer.ts'

/** null and undefined are left out. */
type Value = string | number | null | undefined
type Values = Readonly<Record<string, Value>>
type Sent = { body?: unknown; raw?: string | Uint8Array; headers?: Record<string, string> }

/** `slug` defaults to the session's workspace. */
type Params<Known extends AppOperation> = Record<Exclude<keyof ParametersOf<Known>, 'slug'>, Value> & {
  slug?: string
}
type ParamsPart<Known extends AppOperation> = [Exclude<keyof ParametersOf<Known>, 'slug'>] extends [never]
  ? { params?: Params<Known> }
  : { params: Params<Known> }
/** The operation's arguments. */
type Args<Known extends AppOperation> = ParamsPart<Known> &
  ([BodyOf<Known>] extends [undefined]
    ? Omit<Sent, 'body'>
    : Omit<Sent, 'body'> & { body: BodyOf<Known> }) & {
    query?: QueryOf<Known>
  }
/** The same with a query and a body of any shape. */
type AnyArgs<Known extends AppOperation> = ParamsPart<Known> & Sent & { query?: Values }
/** Args are optional where none are needed. */
type Given<Needed> = object extends Needed ? [args?: Needed] : [args: Needed]

type Json = AppOperation & { answer: Promised<unknown> }
export type Refused = Omit<Answer, 'body'> & { body: ErrorBody }

/** A browser session with the application: keeps cookies, sends JSON. */
export class AppSession {
  readonly #url: string
  readonly #cookies: Map<string, string>
  /** The workspace of calls that name none. */
  #slug: string | undefined

  constructor(url: string, cookies: Iterable<[string, string]> = []) {
    this.#url = url
    this.#cookies = new Map(cookies)
  }

  /** Signs a member in; calls that name no workspace use their first one. */
  static async signIn(
    url: string,
    { email, password }: { email: string; password: string },
  ): Promise<AppSession> {
    const session = new AppSession(url)
    const answer = await session.call(signIn, { body: { email, password } })
    if ('workspaces' in answer) session.#slug = answer.workspaces[0]?.slug
    return session
  }

  /** The answer of an operation. Throws when it is refused. */
  async call<Known extends Json>(known: Known, ...[args]: Given<Args<Known>>): Promise<AnswerOf<Known>> {
    const { status, body } = await this.#ask(known, args)
    if (known.body === 'file' ? status >= 300 : status !== known.answer.status)
      throw new Error(described(known, status, body))
    return (status === 204 ? undefined : body) as AnswerOf<Known>
  }

  /** The refusal of a call. Throws when it is not refused. */
  async refused<Known extends AppOperation>(
    known: Known,
    ...[args]: Given<AnyArgs<Known>>
  ): Promise<Refused> {
    const { status, headers, body } = await this.#ask(known, args)
    if (status < 400) throw new Error(described(known, status, body))
    return { status, headers, body: body as ErrorBody }
  }

  /** Any answer, including a refusal or a file. */
  ask<Known extends AppOperation>(known: Known, ...[args]: Given<AnyArgs<Known>>): Promise<Answer> {
    return this.#ask(known, args)
  }

  /** The same for requests without an operation; `path` is below /api/app. */
  send(path: string, { method = 'GET', ...sent }: Sent & { method?: string } = {}): Promise<Answer> {
    return this.#exchange(`/api/app${path}`, { method, ...sent })
  }

  /** A file as a stream; the caller must read or destroy the body. */
  open<Known extends AppOperation>(
    known: Known,
    ...[args]: Given<AnyArgs<Known>>
  ): Promise<Dispatcher.ResponseData> {
    return request(this.#url + this.#addressOf(known, args), { headers: this.cookies })
  }

  /** Its cookies, for a request made by other means. */
  get cookies(): Record<string, string> {
    return this.#cookies.size === 0 ? {} : { cookie: [...this.#cookies.values()].join('; ') }
  }

  /** The same session, with this workspace as the default. */
  in(slug: string): this {
    this.#slug = slug
    return this
  }

  /** The same browser, pointed at another process of the service. */
  at(url: string): AppSession {
    const other = new AppSession(url, this.#cookies)
    other.#slug = this.#slug
    return other
  }

  #ask(known: AppOperation, { params, query, ...sent }: AnyCall = {}): Promise<Answer> {
    return this.#exchange(this.#addressOf(known, { params, query }), { method: known.method, ...sent })
  }

  #addressOf(known: AppOperation, { params = {}, query = {} }: AnyCall = {}): string {
    const path = known.path.replaceAll(/:(\w+)/g, (_parameter, name: string) => {
      const value = params[name] ?? (name === 'slug' ? this.#slug : undefined)
      if (value === undefined) throw new Error(`the call of ${known.method} ${known.path} has no ${name}`)
      return encodeURIComponent(value)
    })
    const asked = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) asked.set(name, String(value))
    }
    return asked.size === 0 ? path : `${path}?${asked.toString()}`
  }

  async #exchange(
    path: string,
    { method, body, raw, headers = {} }: Sent & { method: string },
  ): Promise<Answer> {
    const response = await request(this.#url + path, {
      method,
      headers: {
        ...this.cookies,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = cookie.split(';')
      this.#cookies.set(pair.split('=')[0] ?? '', pair)
    }
    const text = await response.body.text()
    const { statusCode: status, headers: answered } = response
    return refuseMisfit({ status, headers: answered, body: text === '' ? '' : parse(text) })
  }
}

type AnyCall = Sent & { params?: Values | undefined; query?: Values | undefined }

function described({ method, path }: AppOperation, status: number, body: unknown): string {
  return `${method} ${path} was answered ${status}: ${JSON.stringify(body)}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
