import { call, type Answer } from '../support/http.ts'

/** An operator's browser: keeps the cookie, sends the forms of the pages. */
export class OperatorBrowser {
  cookie = ''
  readonly #url: string
  readonly #origin: string

  constructor(url: string, origin: string) {
    this.#url = url
    this.#origin = origin
  }

  async get(path: string): Promise<Answer & { text: string }> {
    return withText(await call(`${this.#url}${path}`, { headers: this.#headers() }))
  }

  /** Sends fields; without `form` among them, adds the token of the page at `from`. */
  async post(
    path: string,
    fields: Record<string, string> = {},
    { from, headers = {} }: { from?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer & { text: string }> {
    const form = from === undefined ? undefined : formTokenIn((await this.get(from)).text)
    const body = new URLSearchParams({ ...(form === undefined ? {} : { form }), ...fields }).toString()
    const answer = await call(`${this.#url}${path}`, {
      method: 'POST',
      body,
      headers: {
        ...this.#headers(),
        'content-type': 'application/x-www-form-urlencoded',
        origin: this.#origin,
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
    })
    const [cookie] = [answer.headers['set-cookie'] ?? []].flat()
    if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0] ?? ''
    return withText(answer)
  }

  #headers(): Record<string, string> {
    return this.cookie === '' ? {} : { cookie: this.cookie }
  }
}

function withText(answer: Answer): Answer & { text: string } {
  return { ...answer, text: String(answer.body) }
}

export function formTokenIn(page: string): string {
  return /name="form" value="([\w-]+)"/.exec(page)?.[1] ?? ''
}
