import { setTimeout as sleep } from 'node:timers/promises'
import { textIn } from './read-as.ts'
import { sampleSbom } from './sample-sbom.ts'

type StoredSbom = { id: string; status: string; file: number }

/** The client's view of one request. */
export type Seen = { status: number } | { failed: 'refused' | 'no answer' | 'cut answer' }

/** Queries the store. */
export type Query = (statement: string) => Promise<Record<string, unknown>[]>

/** The store compared with what clients were told: all but the first must be zero. */
export type HistoryFigures = {
  /** Files acknowledged as stored. */
  acknowledged: number
  missing: number
  duplicateRows: number
  /** Files answered with more than one id. */
  severalIds: number
  /** Files answered 202 more than once. */
  doubleNew: number
  unmatched: number
}

type Destination = { baseUrl: string; token: string }

/**
 * What clients were told about their files, for comparison with the store: an upload is acknowledged once its 200 or 202 has been read
 * completely. Each file is its own product version, named by its number.
 */
export class UploadHistory {
  readonly acknowledged = new Map<number, { ids: Set<string>; news: number }>()
  /** Number of answers by status or failure. */
  readonly answers = new Map<string, number>()
  /** Answers the contract does not allow while the store is away: anything but 200, 202, and 500 with `Retry-After`. */
  readonly badAnswers: string[] = []
  readonly #components: number

  constructor({ components }: { components: number }) {
    this.#components = components
  }

  /** Sends a file once and records the answer. */
  async send(file: number, { baseUrl, token }: Destination): Promise<Seen> {
    const content = { components: this.#components, serial: file, offset: file % 500, version: String(file) }
    const seen = await this.#post(file, {
      url: `${baseUrl}/api/v1/sboms`,
      token,
      body: sampleSbom(content),
    })
    const name = 'status' in seen ? String(seen.status) : seen.failed
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
    if ('failed' in seen) this.badAnswers.push(seen.failed)
    return seen
  }

  async #post(
    file: number,
    { url, token, body }: { url: string; token: string; body: Buffer },
  ): Promise<Seen> {
    let response: Response
    try {
      response = await fetch(url, {
        method: 'POST',
        // the server may close a kept connection just when it is reused
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
        body: new Uint8Array(body),
      })
    } catch (error) {
      return { failed: isRefused(error) ? 'refused' : 'no answer' }
    }
    try {
      const text = await response.text()
      if (response.status === 202 || response.status === 200) this.#acknowledge(file, response.status, text)
      else if (!isProperRefusal(response, text)) this.badAnswers.push(`${response.status} ${text}`)
      return { status: response.status }
    } catch {
      return { failed: 'cut answer' }
    }
  }

  #acknowledge(file: number, status: 200 | 202, text: string): void {
    const id = textIn(JSON.parse(text), 'id')
    const known = this.acknowledged.get(file) ?? { ids: new Set<string>(), news: 0 }
    known.ids.add(id)
    if (status === 202) known.news += 1
    this.acknowledged.set(file, known)
  }

  /** Waits until the jobs of all uploads have run, then compares with the store. */
  async compare(query: Query, { withinMs = 180_000 } = {}): Promise<HistoryFigures> {
    const rows = await storedSboms(query, performance.now() + withinMs)
    const stored = Map.groupBy(rows, ({ file }) => file)
    const seen = [...this.acknowledged]
    return {
      acknowledged: seen.length,
      missing: seen.filter(([file, { ids }]) => !stored.get(file)?.some(({ id }) => ids.has(id))).length,
      duplicateRows: [...stored.values()].filter((sboms) => sboms.length > 1).length,
      severalIds: seen.filter(([, { ids }]) => ids.size > 1).length,
      doubleNew: seen.filter(([, { news }]) => news > 1).length,
      unmatched: rows.filter(({ status }) => status !== 'matched').length,
    }
  }
}

async function storedSboms(query: Query, until: number): Promise<StoredSbom[]> {
  for (;;) {
    const rows = (await query(
      'select s.id, s.status, v.name::int as file from sbom s join product_version v on v.id = s.version_id',
    )) as StoredSbom[]
    if (rows.every(({ status }) => status === 'matched') || performance.now() > until) return rows
    await sleep(100)
  }
}

function isProperRefusal({ status, headers }: Response, text: string): boolean {
  return status === 500 && text.includes('"error":"internal"') && headers.has('retry-after')
}

function isRefused(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
