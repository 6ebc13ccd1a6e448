import { BoundedClient, type BoundedConfig } from './bounded-client.ts'
import { hostOf, type Driven } from './driver.ts'
import { isReplaced } from './replaced-primary.ts'
import { isSessionLost } from '../store-away.ts'
import { errorCode } from '../store-error.ts'

/** What is known of a session that waits for an answer. */
export type Word =
  /** The server is busy with its statement. */
  | 'working'
  /** Its commit waits for a synchronous standby. */
  | 'unconfirmed'
  /** The server does not know of it, or waits for its next statement. */
  | 'lost'
  /** Another host of the address accepts writes, so the session's own host is no longer the primary, whatever it believes. */
  | 'left'
  /** In the middle of a statement, such as COPY, the server waits for data that was lost on the way or not sent yet. */
  | 'starved'
  /** No session could be opened to ask. */
  | 'unreachable'
  /** A session was opened, and the question on it not answered: the server is busy, or a pooler waits for one. */
  | 'unanswered'
  /** The answer does not tell: it comes from a pooler, or from a server that keeps no record or accepts no more sessions. */
  | 'untold'

type Activity = { pid: number; state: string | null; wait: string | null; own: number; since: string }

const patienceMs = 3_000
/** A session is opened within this, or the server counts as unreachable: two of these, and what was waited before, are less than ten seconds. */
const openWithinMs = 2_500
/** Of a session on which the server is asked about others. */
export const askingLimits = {
  openTimeoutMs: openWithinMs,
  query_timeout: patienceMs,
  application_name: 'sbom-monitor watch',
}
/** The same of a standby. */
const ofStandbyMs = 2_000

/**
 * Asks the server, on a session of its own, what it knows of `sessions`, tells `judge`, and ends at the server those that it returns:
 * otherwise their remains would keep their locks until their own limits end them.
 */
export async function askServer(
  connection: BoundedConfig,
  sessions: readonly Driven[],
  judge: Judge,
): Promise<void> {
  // a standby knows nothing of another standby's sessions
  if (connection.seeksStandby !== true) return askOne(connection, sessions, judge)
  for (const own of Map.groupBy(sessions, keyOf).values()) {
    const only = hostOf((own as [Driven, ...Driven[]])[0])
    const there = { ...connection, only, seeksStandby: false, openTimeoutMs: ofStandbyMs }
    await askOne(there, own, judge)
  }
}

type Judge = (words: ReadonlyMap<Driven, Word>) => readonly Driven[]

async function askOne(connection: BoundedConfig, sessions: readonly Driven[], judge: Judge): Promise<void> {
  const limits = { query_timeout: patienceMs, application_name: 'sbom-monitor watch' }
  const asking = new BoundedClient({ openTimeoutMs: openWithinMs, ...connection, ...limits })
  let words: Map<Driven, Word>
  let isDirect = false
  let isOpen = false
  try {
    await asking.connect()
    isOpen = true
    const answer = await wordsAbout(asking, sessions)
    words = answer.words
    isDirect = answer.isDirect
    await tellReplaced(words, asking, { ...connection, ...limits, openTimeoutMs: openWithinMs })
  } catch (error) {
    const word = speaks(error) ? 'untold' : isOpen ? 'unanswered' : 'unreachable'
    words = new Map(sessions.map((session) => [session, word]))
  }
  const judged = judge(words).filter((session) => isOnSame(asking, session))
  // The numbers that a pooler tells belong to other sessions at the server, as those of one server do at another.
  const ended = isDirect ? judged.flatMap(({ processID }) => processID ?? []) : []
  try {
    if (ended.length > 0)
      await asking.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [ended])
  } catch (error) {
    // Sessions that cannot be told apart are ended by the server's own limits.
    if (!isSessionLost(error) && !isLate(error) && errorCode(error) === null) throw error
  } finally {
    ;(asking as unknown as Driven).connection.stream.destroy()
  }
}

/** Commits that wait for a standby which has become the primary are waited for in vain. */
async function tellReplaced(words: Map<Driven, Word>, asking: BoundedClient, connection: BoundedConfig) {
  const waiting = [...words].filter(([, word]) => word === 'unconfirmed')
  if (waiting.length === 0 || !(await isReplaced(asking, connection))) return
  for (const [session] of waiting) words.set(session, 'left')
}

const keyOf = ({ host, port, address = '' }: Pick<Driven, 'host' | 'port' | 'address'>) =>
  `${host} ${port} ${address}`

/** Whether a session is at the server that is asked. */
export function isOnSame(asking: BoundedClient, session: Driven): boolean {
  // A balancer leads to one of several standbys each time.
  const isOther = session.runsSince !== undefined && asking.runsSince !== session.runsSince
  return !isOther && keyOf(asking) === keyOf(session)
}

async function wordsAbout(
  asking: BoundedClient,
  sessions: readonly Driven[],
): Promise<{ words: Map<Driven, Word>; isDirect: boolean }> {
  const { rows } = await asking.query<Activity>(
    `SELECT pid, state, wait_event AS wait, pg_backend_pid() AS own, extract(epoch from pg_postmaster_start_time())::text AS since FROM pg_stat_activity
     WHERE pid = ANY($1) OR pid = pg_backend_pid()`,
    [sessions.map(({ processID }) => processID)],
  )
  asking.runsSince = rows[0]?.since
  const byPid = new Map(rows.map((row) => [row.pid, row]))
  // Behind a pooler sessions are told numbers that are not the server's.
  const { processID } = asking as unknown as Driven
  const isDirect = processID !== null && byPid.get(processID)?.own === processID
  const wordAbout = (session: Driven): Word => {
    if (!isOnSame(asking, session)) return asking.seeksWriter ? 'left' : 'untold'
    return isDirect ? wordOf(byPid.get(session.processID ?? 0)) : 'untold'
  }
  return { words: new Map(sessions.map((session) => [session, wordAbout(session)])), isDirect }
}

function wordOf(activity: Activity | undefined): Word {
  if (activity === undefined) return 'lost'
  const { state, wait } = activity
  if (state === null || state === 'disabled') return 'untold'
  if (state !== 'active') return 'lost'
  if (wait === 'SyncRep') return 'unconfirmed'
  return wait === 'ClientRead' ? 'starved' : 'working'
}

/** Whether the server itself is asked, not a pooler: sessions behind one are told numbers that are not the server's. */
export async function isDirect(asking: BoundedClient): Promise<boolean> {
  const { rows } = await asking.query<{ own: number }>('SELECT pg_backend_pid() AS own')
  return rows[0]?.own === (asking as unknown as Driven).processID
}

const isLate = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** Whether the server itself refused. */
function speaks(error: unknown): boolean {
  return !isLate(error) && (!isSessionLost(error) || /^57P0/.test(errorCode(error) ?? ''))
}
