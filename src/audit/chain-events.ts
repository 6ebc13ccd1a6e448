import { sql } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { uuidList } from '../platform/postgres/columns.ts'
import { digestOfEvent, hashOfLink } from './link-hash.ts'

const chainsAtOnce = 50
const eventsOfChainAtOnce = 500

type Head = { chain: string; position: number; hash: string }
type Due = { chain: string; id: number; digest: string }
type Link = Head & { eventId: number }

/**
 * Chains every committed event that is not chained yet, appended to its chain: a late commit comes later, whatever its id. Any number of
 * processes may do it; a chain that another one has locked is left to it. Answers how many were chained.
 */
export async function chainEvents(db: Db): Promise<number> {
  let chained = 0
  for (;;) {
    const ofPass = await chainPass(db)
    if (ofPass === 0) return chained
    chained += ofPass
  }
}

/** Events of a chain that have their links already, because they came with them, wait for none. In the transaction that writes both. */
export async function forgetLinked(tx: Tx, chain: string): Promise<void> {
  await sql`
    delete from audit_due d using audit_link l
    where d.chain = ${chain} and l.chain = d.chain and l.event_id = d.event_id`.execute(tx)
}

/** Some events of every chain, so that a long one keeps no other waiting. */
async function chainPass(db: Db): Promise<number> {
  let chained = 0
  let after: string | undefined
  for (;;) {
    const chains = await selectDueChains(db, after)
    if (chains.length === 0) return chained
    chained += await db.transaction().execute((tx) => chainSome(tx, chains))
    after = chains.at(-1)
  }
}

/** The next chains with something due: index steps from one to the next, however much is due in each. */
async function selectDueChains(db: Db, after: string | undefined): Promise<string[]> {
  const first = after === undefined ? sql`true` : sql`chain > ${after}::uuid`
  const { rows } = await sql<{ chain: string }>`
    with recursive c as (
      (select chain from audit_due where ${first} order by chain limit 1)
      union all
      select (select d.chain from audit_due d where d.chain > c.chain order by d.chain limit 1) from c where c.chain is not null
    )
    select chain from c where chain is not null limit ${chainsAtOnce}`.execute(db)
  return rows.map(({ chain }) => chain)
}

async function chainSome(tx: Tx, chains: readonly string[]): Promise<number> {
  const heads = await lockHeads(tx, chains)
  const { rows: due } = await sql<Due>`
    select h.chain, e.id, ${digestOfEvent} as digest
    from unnest(${uuidList(heads.map(({ chain }) => chain))}) as h (chain)
    cross join lateral (
      select event_id from audit_due d where d.chain = h.chain order by event_id limit ${eventsOfChainAtOnce}
    ) d
    join audit_event e on e.id = d.event_id
    order by h.chain, e.id`.execute(tx)
  if (due.length === 0) return 0
  await store(tx, linksOf(heads, due))
  return due.length
}

/** The heads of those chains that nobody else holds; nobody else lengthens them until the transaction ends. */
async function lockHeads(tx: Tx, chains: readonly string[]): Promise<Head[]> {
  await sql`
    insert into audit_chain (chain, position, hash)
    select chain, 0, '' from unnest(${uuidList(chains)}) as c (chain) order by chain
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<Head>`
    select chain, position, encode(hash, 'hex') as hash from audit_chain
    where chain = any(${uuidList(chains)}) order by chain for update skip locked`.execute(tx)
  return rows
}

function linksOf(heads: readonly Head[], due: readonly Due[]): Link[] {
  const last = new Map(heads.map((head) => [head.chain, head]))
  return due.map(({ chain, id, digest }) => {
    const { position, hash } = last.get(chain) ?? { position: 0, hash: '' }
    const place = { chain, position: position + 1 }
    const link = { ...place, hash: hashOfLink(hash, place, digest) }
    last.set(chain, link)
    return { ...link, eventId: id }
  })
}

async function store(tx: Tx, links: readonly Link[]): Promise<void> {
  const rows = sql`unnest(
    ${uuidList(links.map(({ chain }) => chain))}, ${links.map(({ position }) => position)}::bigint[],
    ${links.map(({ eventId }) => eventId)}::bigint[], ${links.map(({ hash }) => hash)}::text[]
  ) as l (chain, position, event_id, hash)`
  await sql`
    insert into audit_link (chain, position, event_id, hash)
    select chain, position, event_id, decode(hash, 'hex') from ${rows}`.execute(tx)
  await sql`
    update audit_chain c set position = l.position, hash = decode(l.hash, 'hex')
    from (select distinct on (chain) * from ${rows} order by chain, position desc) l
    where c.chain = l.chain`.execute(tx)
  await sql`
    delete from audit_due d using ${rows} where d.chain = l.chain and d.event_id = l.event_id`.execute(tx)
}
