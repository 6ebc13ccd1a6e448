import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Actor } from '../../audit/record-acts.ts'
import type { Clock } from '../../platform/clock.ts'
import { contentOnTop } from '../drafts/credits.ts'
import { lockedAdvisory } from '../drafts/locked-advisory.ts'
import { lockFeed } from '../drafts/lock-feed.ts'
import { prepareGate } from '../gate/gate.ts'
import { contactDetails, namespaceOf, publisherOf, type Publisher } from '../feed/publisher.ts'
import { readSummary, releaseVersion, type Service } from './publish.ts'

type Present = { publisher: Publisher; baseUrl: string }

/** Versions in force `v` of advisories `a` whose document names another publisher than the workspace is now. */
function outdated({ publisher, baseUrl }: Present) {
  return sql`advisory a
    join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
    where a.workspace_id = ${publisher.workspaceId}
      and (v.publisher_name, v.publisher_contact, v.namespace)
        <> (${publisher.companyName}, ${contactDetails(publisher)}, ${namespaceOf(publisher, baseUrl)})`
}

/** How many there are, and how many of them have a draft and so stay unchanged until that is published. */
export async function countOutdated(db: Db, present: Present): Promise<{ count: number; withDraft: number }> {
  const { rows } = await sql<{ count: number; withDraft: number }>`
    select count(*) as count,
      count(*) filter (where exists (select 1 from advisory_draft d where d.advisory_id = a.id)) as "withDraft"
    from ${outdated(present)}`.execute(db)
  return rows[0] ?? { count: 0, withDraft: 0 }
}

type Correcting = { workspaceId: string; actor: Actor; clock: Clock; summary: string } & Service

/**
 * Publishes a correction of every advisory that names another publisher than the workspace is now (CSAF 2.0, 3.1.8.2: the namespace), each in a
 * transaction of its own and unchanged otherwise. Those with a draft are left to it. Codes: `invalid_request`, `billing_lapsed`,
 * `forbidden` (no longer allowed to publish).
 */
export async function correctOutdated(
  db: Db,
  { workspaceId, actor, clock, summary, ...service }: Correcting,
): Promise<{ corrected: number; withDraft: number }> {
  const words = readSummary(summary)
  await prepareGate()
  const present = { publisher: await publisherOf(db, workspaceId), baseUrl: service.baseUrl }
  const { rows } = await sql<{ id: string }>`
    select a.id from ${outdated(present)} order by a.created_at, a.id`.execute(db)
  let corrected = 0
  for (const { id } of rows) {
    if (await correctOne(db, { workspaceId, advisoryId: id, actor, clock }, { words, service }))
      corrected += 1
  }
  return { corrected, withDraft: rows.length - corrected }
}

type One = { workspaceId: string; advisoryId: string; actor: Actor; clock: Clock }

/** False: somebody works on it, or has corrected it meanwhile. */
async function correctOne(
  db: Db,
  act: One,
  { words, service }: { words: string; service: Service },
): Promise<boolean> {
  return transact(db, async (tx) => {
    const feed = await lockFeed(tx, act.workspaceId, act.clock)
    const publisher = await publisherOf(tx, act.workspaceId)
    const { rows } = await sql<{ id: string }>`
      select a.id from ${outdated({ publisher, baseUrl: service.baseUrl })} and a.id = ${act.advisoryId}
        and not exists (select 1 from advisory_draft d where d.advisory_id = a.id)`.execute(tx)
    if (rows.length === 0) return false
    const advisory = await lockedAdvisory(tx, act)
    const content = await contentOnTop(tx, act)
    await releaseVersion(tx, act, { feed, advisory, content, kind: 'correction', summary: words, service })
    return true
  })
}
