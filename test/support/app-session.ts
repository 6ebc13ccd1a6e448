import { request, type Dispatcher } from 'undici'
import type { Answer } from './http.ts'

type AppCall = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  /** A file, sent as it is. */
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

/** A browser's session with the application: keeps its cookies, sends JSON. */
export class AppSession {
  readonly #url: string
  readonly #cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  static async signIn(url: string, member: { email: string; password: string }): Promise<AppSession> {
    const session = new AppSession(url)
    const answer = await session.call('/session', {
      method: 'POST',
      body: { email: member.email, password: member.password },
    })
    if (answer.status !== 200) throw new Error(`sign-in was answered ${answer.status}`)
    return session
  }

  /** A file as it arrives; whoever asks reads its body or destroys it. */
  open(path: string): Promise<Dispatcher.ResponseData> {
    return request(`${this.#url}/api/app${path}`, { headers: this.#ownCookies() })
  }

  /** Its cookies, for a request that is made otherwise. */
  get cookies(): Record<string, string> {
    return this.#ownCookies()
  }

  #ownCookies(): Record<string, string> {
    return this.#cookies.size === 0 ? {} : { cookie: [...this.#cookies.values()].join('; ') }
  }

  /** The same browser, led to another process of the service. */
  at(url: string): AppSession {
    const other = new AppSession(url)
    for (const [name, pair] of this.#cookies) other.#cookies.set(name, pair)
    return other
  }

  /** `path` is below /api/app. */
  async call(path: string, { method = 'GET', body, raw, headers = {} }: AppCall = {}): Promise<Answer> {
    const response = await request(`${this.#url}/api/app${path}`, {
      method,
      headers: {
        ...this.#ownCookies(),
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
    return { status: response.statusCode, headers: response.headers, body: text === '' ? '' : parse(text) }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
