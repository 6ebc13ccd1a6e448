import type { Duplex } from 'node:stream'
import pg, { type PoolClient, type QueryConfig, type QueryResult } from 'pg'

/** The begin and the end of a transaction that travel with a statement and need no round trip of their own. */
export type Brackets = { opens: boolean; ends: boolean }

/** What the driver writes messages of the extended protocol with. */
type Wire = {
  stream: Duplex
  parse: (message: { name: string; text: string }) => void
  bind: (message: { statement: string }) => void
  execute: (message: { portal?: string; rows?: number | undefined }) => void
  sync: () => void
}

type Done = (error: Error | undefined, result: QueryResult) => void

/** Of the driver's own query the steps that a longer one takes part in. */
type Steps = {
  portal: string
  submit(wire: Wire): Error | null
  handleCommandComplete(message: { text: string }, wire: Wire): void
}
const DriverQuery = pg.Query as unknown as new (config: QueryConfig, done: Done) => Steps

/**
 * A statement up to one synchronisation with the BEGIN before it, the COMMIT behind it, or both (PostgreSQL manual, "Message Flow", Pipelining).
 * When it fails the server skips what follows: nothing is committed, and the transaction waits to be rolled back.
 */
class BracketedQuery extends DriverQuery {
  readonly #brackets: Brackets

  constructor(config: QueryConfig, brackets: Brackets, done: Done) {
    super({ ...config, queryMode: 'extended' } as QueryConfig, done)
    this.#brackets = brackets
  }

  override submit(wire: Wire): Error | null {
    wire.stream.cork()
    try {
      if (this.#brackets.opens) run(wire, 'begin')
      return super.submit(wire)
    } finally {
      wire.stream.uncork()
    }
  }

  /** The last step of sending. */
  _getRows(wire: Wire): void {
    wire.execute({ portal: this.portal })
    if (this.#brackets.ends) run(wire, 'commit')
    wire.sync()
  }

  override handleCommandComplete(message: { text: string }, wire: Wire): void {
    if (message.text !== 'BEGIN' && message.text !== 'COMMIT') super.handleCommandComplete(message, wire)
  }
}

function run(wire: Wire, statement: 'begin' | 'commit'): void {
  wire.bind({ statement })
  wire.execute({})
}

/** Prepares both once a session. Should the session end over it, whoever uses it is told. */
const preparation = () => ({
  submit: (wire: Wire) => {
    wire.parse({ name: 'begin', text: 'begin' })
    wire.parse({ name: 'commit', text: 'commit' })
    wire.sync()
  },
  callback: () => undefined,
  handleError: () => undefined,
  handleReadyForQuery: () => undefined,
})

const nextBrackets = new WeakMap<PoolClient, Brackets>()

/** Puts these, if any, around the next statement of a session, which must be a single one and no COPY. */
export function bracketNext(client: PoolClient, brackets: Brackets): void {
  if (brackets.opens || brackets.ends) nextBrackets.set(client, brackets)
}

/** Lets a session carry out `bracketNext`. Call it once for each session, before what names statements or replaces them. */
export function allowBrackets(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  let isReady = false
  const extended = (...given: unknown[]) => {
    const brackets = nextBrackets.get(client)
    if (brackets === undefined) return query(...given)
    nextBrackets.delete(client)
    if (!isReady) query(preparation())
    isReady = true
    const [first, values] = given
    const config = (typeof first === 'string' ? { text: first, values } : first) as QueryConfig
    return new Promise((resolve, reject) => {
      query(
        new BracketedQuery(config, brackets, (error, result) => (error ? reject(error) : resolve(result))),
      )
    })
  }
  client.query = extended as PoolClient['query']
}
