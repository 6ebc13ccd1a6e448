import type { Db } from '../../database/connection.ts'
import { BoundedCache } from '../../platform/concurrency/bounded-cache.ts'
import { coalesced } from '../../platform/concurrency/coalesced.ts'
import { readFeedFile, selectDigest, type FeedFile } from './feed-file.ts'
import { readFeedPath, type FeedPath } from './feed-path.ts'
import type { FeedState } from './feed-state.ts'
import { FeedStates } from './feed-states.ts'

/** A file with its form in each coding, once somebody has asked for it. */
export type KeptFile = { file: FeedFile; packed: Map<Coding, Buffer> }

export type Coding = 'br' | 'gzip'

type Entry = KeptFile & { path: FeedPath; stamp: string }

/** Of all kept files in all codings. */
const maxBytes = 64 * 1024 * 1024
/** What an entry takes beside its bytes, roughly. */
const entryBytes = 1_024

/**
 * The files of all feeds, cached in memory up to a bound. The database is asked each time whether a cached one is still current, so that all
 * processes serve the same from the moment of a publication on, and nothing while the database is away.
 */
export class KeptFiles {
  readonly #db: Db
  readonly #baseUrl: string
  readonly #states: FeedStates
  readonly #entries = new BoundedCache<Entry>(maxBytes)
  readonly #readOnce = coalesced(
    (text: string, path: FeedPath, state: FeedState) => this.#read(text, path, state),
    (text, _path, { stamp }) => `${stamp} ${text}`,
  )

  constructor(db: Db, baseUrl: string) {
    this.#db = db
    this.#baseUrl = baseUrl
    this.#states = new FeedStates(db)
  }

  /** The file at a path below `/csaf/`; undefined when there is none. */
  async find(text: string): Promise<KeptFile | undefined> {
    const path = readFeedPath(text)
    return path === undefined ? undefined : this.#findAt(text, path)
  }

  /** As `find` for a path whose file is in memory; undefined at once for any other. */
  findKept(text: string): Promise<KeptFile | undefined> | undefined {
    const path = this.#entries.get(text)?.path
    return path === undefined ? undefined : this.#findAt(text, path)
  }

  async #findAt(text: string, path: FeedPath): Promise<KeptFile | undefined> {
    const state = await this.#states.stateOf(path.slug)
    if (state === undefined) return undefined
    const entry = this.#entries.get(text)
    return entry?.stamp === state.stamp ? entry : this.#readOnce(text, path, state)
  }

  /** Keeps what a file becomes in a coding. */
  keepPacked(text: string, kept: KeptFile, { coding, content }: { coding: Coding; content: Buffer }): void {
    kept.packed.set(coding, content)
    if (this.#entries.get(text) === kept) this.#entries.grow(text, content.length)
  }

  async #read(text: string, path: FeedPath, state: FeedState): Promise<Entry | undefined> {
    const kept = this.#entries.get(text)
    if (kept !== undefined && path.kind === 'document') {
      const digest = await selectDigest(this.#db, state.publisher.workspaceId, path)
      if (digest === kept.file.sha256) {
        kept.stamp = state.stamp
        return kept
      }
    }
    const file = await readFeedFile(this.#db, path, { state, baseUrl: this.#baseUrl })
    this.#entries.delete(text)
    if (file === undefined) return undefined
    const entry: Entry = { file, packed: new Map(), path, stamp: state.stamp }
    this.#entries.set(text, entry, file.bytes.length + entryBytes)
    return entry
  }
}
