import type { ClientConfig, Client } from 'pg'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { chainEvents, forgetLinked } from '../audit/chain-events.ts'
import { verifyChainOf } from '../audit/verify-trail.ts'
import { selectContents } from '../backup/contents.ts'
import type { Db, Tx } from '../database/connection.ts'
import { countCoverage } from '../findings/inventory/take-inventory.ts'
import { enqueueKeyRenewal } from '../findings/changes/renew-keys.ts'
import { enqueueAll } from '../queue/enqueue.ts'
import type { OriginalColumn } from '../originals/original-column.ts'
import type { Originals } from '../originals/originals.ts'
import type { KeyRing } from '../platform/sealing/key-ring.ts'
import { lockSealing, type Sealing } from '../platform/sealing/sealing.ts'
import { slugProblem } from '../workspace/company/company-rules.ts'
import { beginAfterMove } from '../workspace/moving.ts'
import type { ArchiveHeader, ArchiveSummary, LostHead } from './archive.ts'
import { arrive, type StagedTable } from './arrive.ts'
import { adoptIdentities } from './identities.ts'
import { refuseStrangeOriginals, stageOriginals, withOriginals } from './arriving-originals.ts'
import { MoveError } from './move-error.ts'
import { groupColumns, personColumns } from './named-rows.ts'
import { arrivalsOfNamed, bindGroups, bindPeople, type Arrivals } from './named-rows-arrive.ts'
import { keepPut, withPutOriginals, type PutOriginals } from './put-originals.ts'
import { verifyArchive } from './read-archive.ts'
import { refuseOtherSchema } from './schema.ts'
import { resealStaged } from './sealed.ts'
import { inOneTransaction, type MoveSession } from './session.ts'
import { movedTables } from './tables.ts'
import { countForPlanner, inWords, refuseStrangers, writeRows } from './write-rows.ts'

export type Importing = {
  file: string
  /** Another address than the workspace had; only while nothing is published under that. */
  slug?: string
  sealing: Sealing
  originals: Originals
  /** Every table that names originals. */
  originalColumns: readonly OriginalColumn[]
  transport: KeyRing
  actor: Actor
  now: Date
  onProgress: (progress: { label: string; done: number; total: number | null }) => void
}

export type Imported = {
  header: ArchiveHeader
  slug: string
  tables: Record<string, number>
  originals: { count: number; place: 'store' | 'database' }
  /** Which the archive lacks: they were given up at the source. */
  lostOriginals: LostHead[]
  /** Accounts that were not here. */
  madeAccounts: number
  /** Vulnerabilities that findings name and the data here do not know. */
  unknownVulnerabilities: number
}

/**
 * Takes in a workspace from an archive. The whole file is checked first. Next the identities, which all workspaces share, are written and
 * matched, and originals are put where this installation keeps its own. Then every row of the workspace is written in one transaction, with the
 * event that continues its audit trail and the jobs that work out its findings by the data of this installation. Throws MoveError with every
 * code.
 */
export async function importWorkspace(
  { db, connection }: { db: Db; connection: ClientConfig },
  importing: Importing,
): Promise<Imported> {
  const { file, transport, onProgress } = importing
  onProgress({ label: 'checking the archive', done: 0, total: null })
  const summary = await verifyArchive(file, transport)
  const expected = await inOneTransaction(connection, { name: 'workspace import' }, async ({ session }) => {
    await refuseOtherSchema(session, summary.header)
    await refuseTaken(session, summary.header, importing.slug)
    return expectedTables(session)
  })
  await adoptIdentities({ db, connection }, { ...importing, expected }).catch((error: unknown) => {
    throw inWords(error)
  })
  const { id: workspaceId } = summary.header.workspace
  const putting = { ...importing, workspaceId, total: summary.originals }
  const imported = await withPutOriginals(db, putting, (put) =>
    inOneTransaction(connection, { name: 'workspace import' }, (session) =>
      writeWorkspace(session, { ...importing, expected, summary, put }),
    ).catch((error: unknown) => {
      throw inWords(error)
    }),
  )
  await chainEvents(db)
  return imported
}

/** In the order of an archive. */
async function expectedTables(session: Client): Promise<StagedTable[]> {
  const contents = new Map((await selectContents(session)).map(({ name, columns }) => [name, columns]))
  return [
    { name: 'person', columns: personColumns },
    { name: 'vulnerability_group', columns: groupColumns },
    ...movedTables.flat().map(({ name }) => ({ name, columns: contents.get(name) ?? [] })),
  ]
}

async function refuseTaken(session: Client, { workspace }: ArchiveHeader, slug?: string): Promise<void> {
  const wanted = slug ?? workspace.slug
  const problem = slugProblem(wanted)
  if (problem !== undefined)
    throw new MoveError('conflict', `"${wanted}" cannot be an address here: ${problem} Nothing was written.`)
  if (slug !== undefined && slug !== workspace.slug && workspace.slugIsPublished)
    throw new MoveError(
      'conflict',
      `The address "${workspace.slug}" is in published advisories: the workspace keeps it. Nothing was written.`,
    )
  const { rows } = await session.query<{ id: string; slug: string }>(
    'SELECT id, slug FROM workspace WHERE id = $1 OR slug = $2',
    [workspace.id, wanted],
  )
  const same = rows.find(({ id }) => id === workspace.id)
  if (same !== undefined)
    throw new MoveError('conflict', `The workspace is here already, as "${same.slug}". Nothing was written.`)
  if (rows.length > 0)
    throw new MoveError(
      'conflict',
      `The address "${wanted}" belongs to another workspace here: name a free one with --slug. Nothing was written.`,
    )
}

type Writing = Importing & {
  expected: readonly StagedTable[]
  summary: ArchiveSummary
  /** Null: originals go into the database. */
  put: PutOriginals | null
}

async function writeWorkspace({ tx, session }: MoveSession, writing: Writing): Promise<Imported> {
  const { summary, sealing, onProgress } = writing
  const { header } = summary
  await refuseTaken(session, header, writing.slug)
  if (sealing.ring !== null) await lockSealing(tx, sealing, 'what is sealed in a workspace')
  await stageOriginals(session, header.workspace.id, { ...writing, tx })
  const slug = writing.slug ?? header.workspace.slug
  const named = { madeAccounts: 0, unknownVulnerabilities: 0 }
  const tables: Record<string, number> = {}
  let arrivals: Arrivals = new Map()
  let waiting: StagedTable[] = []
  const groupOf = new Map(movedTables.flatMap((group) => group.map(({ name }) => [name, group] as const)))
  await arrive(session, {
    ...writing,
    isWanted: (name) => name !== 'component_identity' && name !== 'identity_key',
    onTable: async (staged) => {
      if (staged.name === 'person') named.madeAccounts = await bindPeople(session)
      if (staged.name === 'vulnerability_group') {
        named.unknownVulnerabilities = await bindGroups(session)
        arrivals = withOriginals(
          withOwnColumns(await arrivalsOfNamed(session), slug),
          writing.originalColumns,
        )
      }
      const group = groupOf.get(staged.name)
      if (group === undefined) return true
      if (staged.name === 'audit_event') await bindEvents(session)
      waiting.push(staged)
      await resealStaged(session, {
        table: staged.name,
        staged: `arriving_${staged.name}`,
        from: writing.transport,
        to: sealing.ring,
        workspaceId: header.workspace.id,
      })
      if (waiting.length < group.length) return true
      for (const { name } of waiting) await refuseStrangeOriginals(session, name, writing.originalColumns)
      await writeGroup(session, { waiting, group, workspaceId: header.workspace.id, arrivals, tables })
      onProgress({ label: `writing, rows (${staged.name})`, done: tables[staged.name] ?? 0, total: null })
      waiting = []
      return true
    },
  })
  await countForPlanner(
    session,
    Object.keys(tables).filter((name) => tables[name] !== 0),
  )
  await continueTrail(tx, writing, slug)
  await goOn(tx, header.workspace.id, writing.now)
  await keepPut(tx, header.workspace.id, writing.put)
  const place = writing.put === null ? 'database' : 'store'
  const { originals: count, lost: lostOriginals } = summary
  return { header, slug, tables, originals: { count, place }, lostOriginals, ...named }
}

/** Columns of the workspace itself and of its audit trail. */
function withOwnColumns(named: Arrivals, slug: string): Arrivals {
  const event = (column: string) => `(SELECT b.new FROM bound_event b WHERE b.old = s.${column})`
  return new Map([
    ...named,
    [
      'workspace',
      new Map([
        ['slug', `'${slug.replaceAll("'", "''")}'`],
        ['moving_at', 'null'],
        ['moved_to', 'null'],
      ]),
    ],
    [
      'audit_event',
      new Map([
        ['id', event('id')],
        ['original_id', 'coalesce(s.original_id, s.id)'],
      ]),
    ],
    ['audit_link', new Map([['event_id', event('event_id')]])],
  ])
}

/** Events get numbers of this installation, in the order of those they had. */
async function bindEvents(session: Client): Promise<void> {
  await session.query(`
    CREATE TEMP TABLE bound_event ON COMMIT DROP AS
    SELECT e.id AS old, nextval(pg_get_serial_sequence('audit_event', 'id')) AS new
    FROM (SELECT id FROM arriving_audit_event ORDER BY id) e`)
  await session.query('CREATE UNIQUE INDEX ON bound_event (old)')
}

type GroupWriting = {
  waiting: readonly StagedTable[]
  group: readonly (typeof movedTables)[number][number][]
  workspaceId: string
  arrivals: Arrivals
  tables: Record<string, number>
}

async function writeGroup(
  session: Client,
  { waiting, group, workspaceId, arrivals, tables }: GroupWriting,
): Promise<void> {
  for (const staged of waiting) await refuseStrangers(session, staged, { workspaceId, arrivals })
  const pairs = group.map((moved, place) => ({ moved, staged: waiting[place] ?? { name: '', columns: [] } }))
  const written = await writeRows(session, pairs, { arrivals })
  for (const [name, rows] of written) tables[name] = rows
  for (const { name } of waiting) if (name !== 'family') await session.query(`DROP TABLE arriving_${name}`)
}

/** The trail arrives whole, as far as the archive said, and the import is its next event. */
async function continueTrail(tx: Tx, { summary, actor, now }: Writing, slug: string): Promise<void> {
  const { workspace, trail } = summary.header
  const found = await verifyChainOf(tx, workspace.id)
  if ('problem' in found || found.events !== trail.events || found.hash !== trail.hash)
    throw new MoveError(
      'trail_broken',
      'The audit trail in the archive does not fit its chain: it was changed. Nothing was written.',
    )
  await forgetLinked(tx, workspace.id)
  await recordAct(tx, {
    workspaceId: workspace.id,
    actor,
    at: now,
    action: 'workspace.imported',
    object: { kind: 'workspace', id: workspace.id, name: workspace.companyName },
    after: { slug, exportedAt: summary.header.createdAt, events: trail.events },
  })
}

/** What waited goes on: SBOMs that were not matched, and the findings by the data that are here. */
async function goOn(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  const sboms = await tx
    .selectFrom('sbom')
    .select(['id', 'family_id as familyId', 'status'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  await countCoverage(tx, { workspaceId, sbomIds: sboms.map(({ id }) => id) })
  const unmatched = sboms.filter(({ status }) => status === 'received' || status === 'parsed')
  await enqueueAll(
    tx,
    unmatched.map(({ id, familyId }) => ({
      kind: 'match_sbom',
      key: id,
      workspaceId,
      payload: { workspaceId, familyId, sbomId: id },
      runAt: now,
    })),
  )
  await enqueueKeyRenewal(tx, now)
  await beginAfterMove(tx, { workspaceId, now })
}
