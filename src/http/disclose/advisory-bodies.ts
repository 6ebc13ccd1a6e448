import { readPublicDocument } from '../../advisories/feed/public-advisories.ts'
import type { Db } from '../../database/connection.ts'
import { advisoryBody, type Served } from '../../disclosure-site/advisory-page.ts'
import type { Html } from '../../html/html.ts'
import { BoundedCache } from '../../platform/concurrency/bounded-cache.ts'
import { coalesced } from '../../platform/concurrency/coalesced.ts'

/** Of all that are kept. */
const maxBytes = 16 * 1024 * 1024

type Asked = { workspaceId: string; trackingId: string; served: Served }

/** The content of the pages of advisories, rendered once for each version: anybody may ask for them, and a long one takes a while. */
export class AdvisoryBodies {
  readonly #db: Db
  readonly #kept = new BoundedCache<Html>(maxBytes)
  readonly #renderOnce = coalesced((asked: Asked) => this.#render(asked), keyOf)

  constructor(db: Db) {
    this.#db = db
  }

  /** Undefined: there is no such version any more. */
  async find(asked: Asked): Promise<Html | undefined> {
    return this.#kept.get(keyOf(asked)) ?? this.#renderOnce(asked)
  }

  async #render(asked: Asked): Promise<Html | undefined> {
    const { workspaceId, trackingId, served } = asked
    const document = await readPublicDocument(this.#db, { workspaceId, trackingId, sha256: served.sha256 })
    if (document === undefined) return undefined
    const body = await advisoryBody(document, served)
    this.#kept.set(keyOf(asked), body, body.toString().length)
    return body
  }
}

function keyOf({ workspaceId, served }: Asked): string {
  return `${workspaceId} ${served.sha256}`
}
