import { sql } from 'kysely'
import type { ClientBase, PoolClient } from 'pg'

const mark = '/* prepared */'

/**
 * Marks, at its end, a statement that each session prepares once: planning it costs more than running it. Only for statements whose text
 * never changes and whose rows are found by a key, or few: the server may keep a plan that knows neither the values nor how the tables
 * have grown, until it analyses them again or the session ends (`sessionSeconds` of the pool).
 */
export const prepared = sql.raw(mark)

const names = new Map<string, string>()
/** Far more than there are; a text that changes each time would fill the memory of every session. */
const maxNames = 100

type Named = { connection: { parsedStatements: Record<string, string>; submittedNamedStatements: object } }

/**
 * A pooler that tracks statements remembers a name from the first time, even if the statement failed before it was planned, and disconnects a client
 * that uses it a second time. The driver would: it forgets what failed.
 */
export function nameOnce(client: ClientBase): void {
  const { connection } = client as unknown as Named
  connection.submittedNamedStatements = new Proxy(connection.submittedNamedStatements, {
    set: (_, name: string, text: string) => {
      connection.parsedStatements[name] = text
      return true
    },
  })
}

/** Lets a session keep the plans of statements that end in `prepared`. Call it once for each session. */
export function keepPlans(client: PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const extended = (...given: unknown[]) => {
    const [text, values] = given
    const name = typeof text === 'string' && text.endsWith(mark) ? nameOf(text) : undefined
    return name === undefined ? query(...given) : query({ name, text, values })
  }
  client.query = extended as PoolClient['query']
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `prepared ${names.size + 1}`
  names.set(text, name)
  return name
}
