import type { ClientBase } from 'pg'
import { sampleSbom } from './sample-sbom.ts'

type Receipt = { id: string }
type StoredSbom = { id: string; status: string; file: number }

/** What a client saw of one request. */
export type Seen = { status: number } | { failed: 'refused' | 'no answer' | 'cut answer' }

/**
 * What clients were told about the files they sent, to be compared with the store afterwards: an upload is acknowledged when its
 * 200 or 202 has been read to the end. Each file is a product version of its own, named by its number.
 */
export class UploadHistory {
  readonly acknowledged = new Map<number, { ids: Set<string>; news: number }>()
  readonly statuses = new Map<string, number>()
  /** Answers other than 200 and 202, the last ones. */
  readonly refusals: string[] = []

  /** Sends a file once and notes what came back. */
  async send(file: number, { baseUrl, token }: { baseUrl: string; token: string }): Promise<Seen> {
    const body = sampleSbom({ components: 50, serial: file, offset: file % 500, version: String(file) })
    const seen = await this.#post(file, { url: `${baseUrl}/api/v1/sboms`, token, body })
    const name = 'status' in seen ? String(seen.status) : seen.failed
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1)
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
        // a kept connection may be closed by the server at the moment it is used again
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
        body: new Uint8Array(body),
      })
    } catch (error) {
      return { failed: isRefused(error) ? 'refused' : 'no answer' }
    }
    try {
      const text = await response.text()
      if (response.status === 202 || response.status === 200) this.#acknowledge(file, response.status, text)
      else this.refusals.push(`${response.status} ${text}`)
      return { status: response.status }
    } catch {
      return { failed: 'cut answer' }
    }
  }

  #acknowledge(file: number, status: 200 | 202, text: string): void {
    const { id } = JSON.parse(text) as Receipt
    const known = this.acknowledged.get(file) ?? { ids: new Set<string>(), news: 0 }
    known.ids.add(id)
    if (status === 202) known.news += 1
    this.acknowledged.set(file, known)
  }

  /** Compares with the store: everything should be zero. */
  async compare(session: ClientBase): Promise<{
    missing: number
    duplicateRows: number
    severalIds: number
    doubleNew: number
    unmatched: number
  }> {
    const { rows } = await session.query<StoredSbom>(
      `select s.id, s.status, v.name::int as file from sbom s join product_version v on v.id = s.version_id`,
    )
    const stored = Map.groupBy(rows, ({ file }) => file)
    const seen = [...this.acknowledged]
    return {
      missing: seen.filter(([file, { ids }]) => !stored.get(file)?.some(({ id }) => ids.has(id))).length,
      duplicateRows: [...stored.values()].filter((sboms) => sboms.length > 1).length,
      severalIds: seen.filter(([, { ids }]) => ids.size > 1).length,
      doubleNew: seen.filter(([, { news }]) => news > 1).length,
      unmatched: rows.filter(({ status }) => status !== 'matched').length,
    }
  }
}

function isRefused(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
