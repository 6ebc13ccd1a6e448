import type { PoolClient } from 'pg'
import { settingLimits, standardLimits, type Limits } from '../limits.ts'

type Query = (...given: unknown[]) => Promise<unknown>
type Done = (error: unknown, result?: unknown) => void

/**
 * Behind a pooler the server's session is lent for one transaction: limits are set in the message that begins it, and end with it. A statement outside
 * of one has the standard limits of the role (role-limits.ts); with other limits it gets a transaction of its own. Call this once for each session,
 * after anything else that changes its `query`.
 */
export function limitTransactions(client: PoolClient, limits: Limits): void {
  const query = client.query.bind(client) as unknown as Query
  const setting = settingLimits('set local', limits)
  const isStandard = setting === settingLimits('set local', standardLimits)
  const extended = (...given: unknown[]) => {
    const [text, values] = given
    if (typeof text !== 'string' || isOpen(client)) return query(...given)
    const begins = /^(begin|start transaction)\b/i.test(text)
    if (begins && !text.includes(';')) return told(begin(query, text, setting), given)
    if (begins || isStandard) return query(...given)
    return told(runAlone(query, setting, typeof values === 'function' ? [text] : [text, values]), given)
  }
  client.query = extended as PoolClient['query']
}

/** The driver's pool passes a callback with the statement. */
function told(answer: Promise<unknown>, given: readonly unknown[]): Promise<unknown> | undefined {
  const done = given.find((each): each is Done => typeof each === 'function')
  if (done === undefined) return answer
  answer.then((result) => done(null, result), done)
  return undefined
}

/** Whether a transaction is open. The driver does not know it of a session that was just opened: none is. */
function isOpen(client: PoolClient): boolean {
  const status = client.getTransactionStatus()
  return status === 'T' || status === 'E'
}

/** The answer to `begin`; those to the limits, which come with it, are of no use. */
async function begin(query: Query, text: string, setting: string): Promise<unknown> {
  const answers = await query(`${text}; ${setting}`)
  return Array.isArray(answers) ? answers[0] : answers
}

async function runAlone(query: Query, setting: string, statement: readonly unknown[]): Promise<unknown> {
  await begin(query, 'begin', setting)
  try {
    const result = await query(...statement)
    await query('commit')
    return result
  } catch (error) {
    // If the session is lost, there is nothing to roll back.
    await query('rollback').catch(() => undefined)
    throw error
  }
}
