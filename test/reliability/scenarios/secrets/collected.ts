import { request } from 'undici'
import { spellingsOf } from './spellings.ts'

export type Told = { status: number; text: string; headers: Record<string, string | string[] | undefined> }

type Asked = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  headers?: Record<string, string>
}

/** Every answer of a run, and every secret created or typed in it. */
export class Collected {
  readonly #url: string
  readonly #answers: { where: string; text: string }[] = []
  /** For each secret: what it is, and the answers that may show it. */
  readonly #secrets = new Map<string, { what: string; shownBy: Set<number> }>()
  readonly #cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  get size(): { answers: number; secrets: number } {
    return { answers: this.#answers.length, secrets: this.#secrets.size }
  }

  /** `isShown`: the latest answer may show it, once. */
  add(what: string, secret: string, isShown: boolean): string {
    if (secret.length < 8) throw new Error(`${what} is no secret: ${secret}`)
    const known = this.#secrets.get(secret) ?? { what, shownBy: new Set() }
    if (isShown) known.shownBy.add(this.#answers.length - 1)
    this.#secrets.set(secret, known)
    return secret
  }

  /** A browser with cookies; a cookie it receives is a secret that only this answer may show. */
  async ask(path: string, { method = 'GET', body, headers = {} }: Asked = {}): Promise<Told> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const cookie = this.#cookies.size === 0 ? {} : { cookie: [...this.#cookies.values()].join('; ') }
    const response = await request(`${this.#url}${path}`, {
      // a kept connection could be closed while the command line runs in between
      reset: true,
      method,
      headers: { ...cookie, ...json, ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.body.text()
    const given = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}`)
    this.#answers.push({ where: `${method} ${path}`, text: [...given, text].join('\n') })
    for (const line of [response.headers['set-cookie'] ?? []].flat())
      this.#keepCookie(line.split(';')[0] ?? '')
    return { status: response.statusCode, text, headers: response.headers }
  }

  #keepCookie(pair: string): void {
    const [name = '', value = ''] = pair.split('=')
    this.#cookies.set(name, pair)
    if (value.length >= 20) this.add(`cookie ${name}`, value, true)
  }

  /** A request that must succeed. */
  async act<T>(path: string, asked: Asked): Promise<T> {
    const { status, text } = await this.ask(path, asked)
    if (status >= 300) throw new Error(`${asked.method ?? 'GET'} ${path} was answered ${status}: ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  }

  /** Reports secrets found where they should not be. `places`: the dump and the logs. */
  search(places: Readonly<Record<string, string>>): string[] {
    const found: string[] = []
    for (const [secret, { what, shownBy }] of this.#secrets) {
      const spellings = spellingsOf(secret)
      const isIn = (text: string) => spellings.some((spelling) => text.includes(spelling))
      for (const [place, text] of Object.entries(places)) if (isIn(text)) found.push(`${what} in ${place}`)
      for (const [index, { where, text }] of this.#answers.entries())
        if (!shownBy.has(index) && isIn(text))
          found.push(`${what} in the answer to ${where.replaceAll(secret, '…')}`)
      for (const index of shownBy)
        if (!isIn(this.#answers[index]?.text ?? '')) found.push(`${what} is not in the answer that shows it`)
    }
    return found
  }
}
