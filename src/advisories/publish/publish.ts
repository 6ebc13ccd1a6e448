import { createHash } from 'node:crypto'
import {
  advisoryLimits,
  type AdvisoryContent,
  type AdvisoryProblem,
  type PublicationKind,
} from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { informUsersByAdvisory } from '../../incidents/record/informed.ts'
import { newId } from '../../platform/random.ts'
import { lineProblem } from '../../platform/input-reader.ts'
import { recordAct } from '../../audit/record-acts.ts'
import { freezeSlug } from '../../workspace/workspaces.ts'
import { lockedAdvisory, lockedDraft, selectHistory, type AdvisoryAct } from '../drafts/locked-advisory.ts'
import { selectLinkedIncidents } from '../drafts/links.ts'
import { lockFeed } from '../drafts/lock-feed.ts'
import { judgeDraft } from '../document/judge-draft.ts'
import { prepareGate } from '../gate/gate.ts'
import { namespaceOf, publisherOf, contactDetails } from '../feed/publisher.ts'
import { refuseNoLongerAllowed } from './ask-again.ts'
import { documentInput, numberAfter, refuseStricterTlp, type NextVersion } from './document-input.ts'

/** What the service is called and where it is, which documents name. */
export type Service = { baseUrl: string; serviceName: string }

export type Publishing = {
  /** Of the draft that the publisher has seen. */
  revision: number
  /** Not asked of a first publication. */
  kind: Exclude<PublicationKind, 'first'> | undefined
  /** What is new, for the history of the document. */
  summary: string
  /**
   * Rules of later rooms. Called in the transaction that publishes, after the tests: they lock what they read until it is published. An
   * error that it throws refuses the publication.
   */
  refuse: (tx: Tx, content: AdvisoryContent) => Promise<void>
}

export type Published = { number: string; releasedAt: Date; sha256: string }

/**
 * Publishes a draft and deletes it, in one transaction: builds its document, tests it, and freezes bytes, hashes, namespace and file. The company, the
 * settings and the draft in this revision are locked from the start; after the tests, it is asked again whether the publisher still may, and what `refuse` asks. Of two who
 * publish the same draft, one succeeds. Codes: `invalid_request` (the fields that keep it from being published), `billing_lapsed`,
 * `not_found`, `conflict`, `forbidden` (a second person publishes).
 */
export async function publishDraft(
  db: Db,
  act: AdvisoryAct,
  { revision, kind, summary, refuse, ...service }: Publishing & Service,
): Promise<Published> {
  const words = readSummary(summary)
  await prepareGate()
  return transact(db, async (tx) => {
    const feed = await lockFeed(tx, act.workspaceId, act.clock)
    const advisory = await lockedAdvisory(tx, act)
    const draft = await lockedDraft(tx, act, revision)
    if (feed.secondPersonPublishes && draft.edited_by === act.actor.id) {
      throw new ServiceError('forbidden', {
        message: 'A second person must publish it: someone other than whoever changed the draft last.',
      })
    }
    const published = await releaseVersion(tx, act, {
      feed,
      advisory,
      service,
      refuse,
      summary: words,
      content: draft.content,
      kind: kindOf(kind, advisory.current_ordinal),
    })
    await tx
      .deleteFrom('advisory_draft')
      .where('workspace_id', '=', act.workspaceId)
      .where('advisory_id', '=', act.advisoryId)
      .execute()
    return published
  })
}

function kindOf(kind: Publishing['kind'], ordinal: number | null): PublicationKind {
  if (ordinal === null) return 'first'
  if (kind !== undefined) return kind
  throw new ServiceError('invalid_request', {
    fields: { kind: 'Say whether this is an update or a correction.' },
  })
}

/** Words for the history of a document. Codes: `invalid_request`. */
export function readSummary(text: string): string {
  const summary = text.trim()
  const problem =
    summary === '' ? 'Say what is new.' : lineProblem(summary, { min: 1, max: advisoryLimits.lineCharacters })
  if (problem !== undefined) throw new ServiceError('invalid_request', { fields: { summary: problem } })
  return summary
}

type Releasing = {
  feed: Awaited<ReturnType<typeof lockFeed>>
  advisory: Awaited<ReturnType<typeof lockedAdvisory>>
  content: AdvisoryContent
  kind: PublicationKind
  summary: string
  service: Service
  refuse?: Publishing['refuse']
}

/** Publishes one version; the feed is locked. Codes: `invalid_request`, `forbidden`, `billing_lapsed`. */
export async function releaseVersion(tx: Tx, act: AdvisoryAct, releasing: Releasing): Promise<Published> {
  const { feed, advisory, content, kind, summary, service, refuse } = releasing
  const earlier = await selectHistory(tx, act)
  refuseStricterTlp(content.tlp, earlier)
  const publisher = await publisherOf(tx, act.workspaceId)
  const releasedAt = laterThan(feed.lastReleasedAt, feed.now)
  const next: NextVersion = {
    content,
    earlier,
    publisher,
    kind,
    summary,
    releasedAt,
    ...service,
    trackingId: advisory.tracking_id,
  }
  const input = documentInput(next)
  const { bytes, problems } = await judgeDraft(input)
  refuseProblems(problems)
  await refuseNoLongerAllowed(tx, act)
  await refuse?.(tx, content)
  const sha256 = digestOf('sha256', bytes)
  const number = numberAfter(earlier, kind)
  const ordinal = (earlier.at(-1)?.ordinal ?? 0) + 1
  await insertVersion(tx, act, { ...next, content: input.content, bytes, sha256, number, ordinal })
  await putInForce(tx, act, { releasedAt, ordinal, isWhite: content.tlp === 'WHITE' })
  await recordAct(tx, {
    workspaceId: act.workspaceId,
    actor: act.actor,
    at: feed.now,
    action: 'advisory.published',
    object: { kind: 'advisory', id: act.advisoryId, name: advisory.tracking_id },
    after: { number, kind, tlp: content.tlp, summary, sha256 },
  })
  await noteInIncidents(tx, act, { trackingId: advisory.tracking_id, now: feed.now })
  return { number, releasedAt, sha256 }
}

type NewVersion = NextVersion & { bytes: Buffer; sha256: string; number: string; ordinal: number }

async function insertVersion(tx: Tx, act: AdvisoryAct, version: NewVersion): Promise<void> {
  const { content, publisher, kind, summary, releasedAt, baseUrl, bytes, sha256, number, ordinal } = version
  await tx
    .insertInto('advisory_version')
    .values({
      id: newId(releasedAt),
      workspace_id: act.workspaceId,
      advisory_id: act.advisoryId,
      ordinal,
      number,
      kind,
      summary,
      bytes,
      sha256,
      sha512: digestOf('sha512', bytes),
      tlp: content.tlp,
      severity: content.severity ?? null,
      title: content.title.trim(),
      released_at: releasedAt,
      published_by: act.actor.id,
      published_by_name: act.actor.name,
      publisher_name: publisher.companyName,
      publisher_contact: contactDetails(publisher),
      namespace: namespaceOf(publisher, baseUrl),
      content: JSON.stringify(content),
    })
    .execute()
}

function digestOf(algorithm: 'sha256' | 'sha512', bytes: Buffer): string {
  return createHash(algorithm).update(bytes).digest('hex')
}

/** The incidents that it is linked with: their users are informed by it. */
async function noteInIncidents(
  tx: Tx,
  act: AdvisoryAct,
  published: { trackingId: string; now: Date },
): Promise<void> {
  const { workspaceId, actor } = act
  for (const incidentId of await selectLinkedIncidents(tx, act))
    await informUsersByAdvisory(tx, { workspaceId, incidentId, actor, ...published })
}

/** Dates of publications increase, even where the clock was set back. */
function laterThan(before: Date | null, now: Date): Date {
  return before === null || before < now ? now : new Date(before.getTime() + 1)
}

/** A large draft may have the same problem thousands of times. */
const maxRefusals = 100

/** What keeps a document from being published, by the field of the draft that it is about. */
function refuseProblems(problems: readonly AdvisoryProblem[]): void {
  if (problems.length === 0) return
  const fields: Record<string, string> = {}
  for (const { field, test, message } of problems.slice(0, maxRefusals)) {
    fields[field ?? 'document'] ??= test === null ? message : `${message} (CSAF 2.0, ${test})`
  }
  throw new ServiceError('invalid_request', { message: 'The advisory cannot be published as it is.', fields })
}

type Release = { releasedAt: Date; ordinal: number; isWhite: boolean }

/** The version is the advisory's current one, and the feed has a new generation. */
async function putInForce(
  tx: Tx,
  act: AdvisoryAct,
  { releasedAt, ordinal, isWhite }: Release,
): Promise<void> {
  const isFirst = ordinal === 1
  await tx
    .updateTable('advisory')
    .set({
      current_ordinal: ordinal,
      ...(isFirst && { year: releasedAt.getUTCFullYear(), first_released_at: releasedAt }),
    })
    .where('workspace_id', '=', act.workspaceId)
    .where('id', '=', act.advisoryId)
    .execute()
  await tx
    .updateTable('advisory_feed')
    .set(({ eb }) => ({
      generation: eb('generation', '+', 1),
      last_released_at: releasedAt,
      ...(isWhite && { last_white_at: releasedAt }),
    }))
    .where('workspace_id', '=', act.workspaceId)
    .execute()
  if (isFirst) await freezeSlug(tx, { workspaceId: act.workspaceId, now: releasedAt })
}
