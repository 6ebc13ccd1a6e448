import { sql } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { digestOfEvent, hashOfLink, installationChain } from './link-hash.ts'

const linksAtOnce = 5_000

/**
 * `changed`: an event, its place or its link is not what was chained. `missing`: an event or a link is gone. `not_chained`: an event was
 * written past what chains them.
 */
type Problem = {
  problem: 'changed' | 'missing' | 'not_chained'
  workspace: string | null
  /** In its chain, from 1. */
  position: number | null
  event: number | null
  at: string | null
  action: string | null
}

/** How far a chain goes. Kept elsewhere, it shows later that nothing up to it was written again. */
export type ChainHead = { chain: string; workspace: string | null; events: number; hash: string }

export type Verified = {
  isWhole: boolean
  chains: ChainHead[]
  /** Committed, and chained within seconds while the service runs. */
  waiting: { events: number; first: number | null }
  /** The first of each chain. */
  problems: Problem[]
}

type StoredHead = { chain: string; workspace: string | null; position: number; hash: string }
type StoredLink = {
  position: number
  event_id: number
  hash: string
  event_chain: string | null
  digest: string | null
  at: Date | null
  action: string | null
}

/**
 * Compares every event with the chain it is in: `known` are heads that an earlier run has printed. Nothing is changed, and writers are not
 * held up.
 */
export async function verifyTrail(db: Db, known: readonly ChainHead[]): Promise<Verified> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      const heads = await selectHeads(tx)
      const problems: Problem[] = []
      for (const head of heads) {
        const problem = (await verifyChain(tx, head)) ?? (await compareWithKnown(tx, head, known))
        if (problem !== undefined) problems.push(problem)
      }
      for (const lost of known.filter(({ chain }) => heads.every((head) => head.chain !== chain))) {
        problems.push({ ...nothing, problem: 'missing', workspace: lost.workspace, position: lost.events })
      }
      problems.push(...(await selectLost(tx)))
      const { waiting, stray } = await selectUnchained(tx)
      if (stray !== undefined) problems.push(stray)
      const chains = heads.map(({ position, ...head }) => ({ ...head, events: position }))
      return { isWhole: problems.length === 0, chains, waiting, problems }
    })
}

const nothing = { position: null, event: null, at: null, action: null } as const

/** Of every chain that has a head or a link. */
async function selectHeads(tx: Tx): Promise<StoredHead[]> {
  const { rows } = await sql<StoredHead>`
    select k.chain, w.slug as workspace, coalesce(c.position, 0) as position, coalesce(encode(c.hash, 'hex'), '') as hash
    from (select chain from audit_chain union select chain from audit_link) k
    left join audit_chain c on c.chain = k.chain
    left join workspace w on w.id = k.chain
    order by k.chain`.execute(tx)
  return rows
}

/** The chain of one workspace, in a transaction that is open: how far it goes, or the first that does not fit. */
export async function verifyChainOf(
  tx: Tx,
  chain: string,
): Promise<{ events: number; hash: string } | { problem: Problem }> {
  const head = (await selectHeads(tx)).find((found) => found.chain === chain)
  if (head === undefined) return { events: 0, hash: '' }
  const problem = await verifyChain(tx, head)
  return problem === undefined ? { events: head.position, hash: head.hash } : { problem }
}

async function verifyChain(tx: Tx, head: StoredHead): Promise<Problem | undefined> {
  let last = { position: 0, hash: '' }
  for (;;) {
    const links = await selectLinks(tx, head.chain, last.position)
    for (const link of links) {
      const problem = judgeLink(head, last, link)
      if (problem !== undefined) return problem
      last = link
    }
    if (links.length < linksAtOnce) break
  }
  if (last.position === head.position && last.hash === head.hash) return undefined
  const problem = last.position < head.position ? 'missing' : 'changed'
  return {
    ...nothing,
    problem,
    workspace: head.workspace,
    position: Math.min(last.position, head.position) + 1,
  }
}

function judgeLink(
  { chain, workspace }: StoredHead,
  last: { position: number; hash: string },
  link: StoredLink,
): Problem | undefined {
  const position = last.position + 1
  const named = {
    workspace,
    position,
    event: link.event_id,
    at: link.at?.toISOString() ?? null,
    action: link.action,
  }
  if (link.position !== position) return { ...nothing, problem: 'missing', workspace, position }
  if (link.digest === null) return { ...named, problem: 'missing' }
  const isSame =
    link.event_chain === chain && hashOfLink(last.hash, { chain, position }, link.digest) === link.hash
  return isSame ? undefined : { ...named, problem: 'changed' }
}

async function selectLinks(tx: Tx, chain: string, after: number): Promise<StoredLink[]> {
  const { rows } = await sql<StoredLink>`
    select l.position, l.event_id, encode(l.hash, 'hex') as hash,
      case when e.id is not null then coalesce(e.workspace_id, ${installationChain}) end as event_chain,
      case when e.id is not null then ${digestOfEvent} end as digest, e.at, e.action
    from audit_link l
    left join audit_event e on e.id = l.event_id
    where l.chain = ${chain} and l.position > ${after}
    order by l.position limit ${linksAtOnce}`.execute(tx)
  return rows
}

/** A chain that was written again as a whole fits itself, but no longer what was kept of it elsewhere. */
async function compareWithKnown(
  tx: Tx,
  { chain, workspace }: StoredHead,
  known: readonly ChainHead[],
): Promise<Problem | undefined> {
  for (const { events, hash } of known.filter((earlier) => earlier.chain === chain && earlier.events > 0)) {
    const [link] = await selectLinks(tx, chain, events - 1)
    if (link?.position !== events) return { ...nothing, problem: 'missing', workspace, position: events }
    if (link.hash !== hash) return { ...nothing, problem: 'changed', workspace, position: events }
  }
  return undefined
}

/** Events that are gone before they were chained: of each chain the first. */
async function selectLost(tx: Tx): Promise<Problem[]> {
  const { rows } = await sql<{ workspace: string | null; event: number }>`
    select distinct on (d.chain) w.slug as workspace, d.event_id as event
    from audit_due d
    left join audit_event e on e.id = d.event_id
    left join workspace w on w.id = d.chain
    where e.id is null
    order by d.chain, d.event_id`.execute(tx)
  return rows.map((row) => ({ ...nothing, problem: 'missing', ...row }))
}

type Unchained = {
  id: number
  at: Date
  action: string
  workspace: string | null
  is_due: boolean
  count: number
}

/** Events without a link: those that wait for one, and the first of those that do not. */
async function selectUnchained(
  tx: Tx,
): Promise<{ waiting: Verified['waiting']; stray: Problem | undefined }> {
  const { rows } = await sql<Unchained>`
    select distinct on (is_due) id, at, action, workspace, is_due, count(*) over (partition by is_due) as count
    from (
      select e.id, e.at, e.action, w.slug as workspace, d.event_id is not null as is_due
      from audit_event e
      left join audit_link l on l.event_id = e.id
      left join audit_due d on d.event_id = e.id and d.chain = coalesce(e.workspace_id, ${installationChain})
      left join workspace w on w.id = e.workspace_id
      where l.event_id is null
    ) u
    order by is_due, id`.execute(tx)
  const due = rows.find(({ is_due: isDue }) => isDue)
  const first = rows.find(({ is_due: isDue }) => !isDue)
  return {
    waiting: { events: due?.count ?? 0, first: due?.id ?? null },
    stray:
      first === undefined
        ? undefined
        : {
            problem: 'not_chained',
            workspace: first.workspace,
            position: null,
            event: first.id,
            at: first.at.toISOString(),
            action: first.action,
          },
  }
}
