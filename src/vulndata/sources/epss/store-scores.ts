import { sql } from 'kysely'
import { existingTime } from '../../../contract/calendar.ts'
import type { Tx } from '../../../database/connection.ts'
import { RefusedData } from '../../../source-files/refused-data.ts'
import type { TakenOver, Taking } from '../../one-file/taking.ts'
import { refuseShrunk } from '../../one-file/refuse-shrunk.ts'
import { readScores, type EpssHeader, type EpssScore } from './read-scores.ts'

export type ScoreChanges = EpssHeader & {
  rows: number
  /** Rows stored before. */
  before: number
  added: number
  changed: number
  removed: number
}

type Replacement = { path: string; onRows: (count: number) => void }

const rowsPerStatement = 20_000

/** Scores are joined when findings are read, so no job is needed. */
export async function takeOverScores(tx: Tx, { path, onProgress }: Taking): Promise<TakenOver> {
  const onRows = (done: number) => onProgress({ label: 'epss', done, total: null })
  const { rows, added, changed, removed, scoredOn } = await replaceScores(tx, { path, onRows })
  return { records: rows, added, changed, withdrawn: removed, releasedAt: existingTime(scoredOn) }
}

/**
 * Replaces the stored EPSS scores by those of a file, inside the import's transaction: readers see the old scores until it ends, and
 * all the new ones afterwards. Refuses (`RefusedData`) a broken file, one that names a CVE twice, one of less than half the rows
 * stored, and one without any.
 */
export async function replaceScores(tx: Tx, { path, onRows }: Replacement): Promise<ScoreChanges> {
  await sql`create temporary table new_epss (cve_id text, score real, percentile real) on commit drop`.execute(
    tx,
  )
  const header = await fillNewScores(tx, path, onRows)
  await sql`analyze new_epss`.execute(tx)
  const { rows, distinct, before } = await selectCounts(tx)
  if (rows === 0) throw new RefusedData('expected EPSS scores, found none')
  if (distinct < rows)
    throw new RefusedData(`expected one EPSS score a CVE, found ${rows} of ${distinct} CVEs`)
  refuseShrunk(rows, before)
  const changes = await applyScores(tx)
  await noteScoredOn(tx, header.scoredOn)
  return { ...header, rows, before, ...changes }
}

async function fillNewScores(tx: Tx, path: string, onRows: (count: number) => void): Promise<EpssHeader> {
  let header: EpssHeader | undefined
  let pending: EpssScore[] = []
  let read = 0
  const scores = readScores(path, (found) => {
    header = found
  })
  for await (const score of scores) {
    pending.push(score)
    read += 1
    if (pending.length < rowsPerStatement) continue
    await insertNewScores(tx, pending)
    pending = []
    onRows(read)
  }
  await insertNewScores(tx, pending)
  onRows(read)
  if (header === undefined) throw new Error('the reader of scores told no header')
  return header
}

async function insertNewScores(tx: Tx, scores: readonly EpssScore[]): Promise<void> {
  if (scores.length === 0) return
  await sql`
    insert into new_epss (cve_id, score, percentile)
    select * from unnest(${scores.map((row) => row.cveId)}::text[], ${scores.map((row) => row.score)}::real[],
      ${scores.map((row) => row.percentile)}::real[])`.execute(tx)
}

type Counts = { rows: number; distinct: number; before: number }

async function selectCounts(tx: Tx): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) as rows, count(distinct cve_id) as distinct, (select count(*) from epss) as before
    from new_epss`.execute(tx)
  return only(rows)
}

type Applied = Pick<ScoreChanges, 'added' | 'changed' | 'removed'>

/**
 * The three parts see the same state of the table, so their order does not matter. Rows are updated in place: a page of the table has
 * room for it (migration 0005), so a day's new scores neither lock readers out nor let table and index grow.
 */
async function applyScores(tx: Tx): Promise<Applied> {
  const { rows } = await sql<Applied>`
    with removed as (
      delete from epss e where not exists (select from new_epss n where n.cve_id = e.cve_id) returning 1
    ),
    changed as (
      update epss e set score = n.score, percentile = n.percentile
      from new_epss n
      where n.cve_id = e.cve_id and (n.score, n.percentile) is distinct from (e.score, e.percentile)
      returning 1
    ),
    added as (
      insert into epss (cve_id, score, percentile)
      select n.cve_id, n.score, n.percentile
      from new_epss n
      where not exists (select from epss e where e.cve_id = n.cve_id)
      returning 1
    )
    select (select count(*) from added) as added, (select count(*) from changed) as changed,
      (select count(*) from removed) as removed`.execute(tx)
  return only(rows)
}

/** The source's row may not exist yet: recording the success of the import fills in the rest. */
async function noteScoredOn(tx: Tx, scoredOn: string): Promise<void> {
  await sql`
    insert into data_source (name, scored_on) values ('epss', ${scoredOn}::date)
    on conflict (name) do update set scored_on = excluded.scored_on`.execute(tx)
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('the statement on scores answered no row')
  return row
}
