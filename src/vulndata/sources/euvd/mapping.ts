import { sql } from 'kysely'
import type { Tx } from '../../../database/connection.ts'
import { splitLines } from '../../../source-files/documents.ts'
import { describeContent, RefusedData } from '../../../source-files/refused-data.ts'
import { enqueueExploitedRefresh } from '../../catalogues/store-entries.ts'
import type { TakenOver, Taking } from '../../one-file/taking.ts'
import { refuseShrunk } from '../../one-file/refuse-shrunk.ts'
import { isMappingHeader } from './mapping-header.ts'

type EuvdMapping = { euvdId: string; cveId: string }

const rowForm = /^"?(EUVD-\d{4}-\d{1,19})"?\s*,\s*"?(CVE-\d{4}-\d{4,19})"?$/i
const maxRows = 5_000_000
const rowsPerStatement = 20_000

/** Findings name the catalogues by the CVEs that ids stand for. */
export async function takeOverMapping(tx: Tx, { path, now, onProgress }: Taking): Promise<TakenOver> {
  const onRows = (done: number) => onProgress({ label: 'euvdMapping', done, total: null })
  const { rows, before, added, removed } = await storeMapping(tx, readMapping(path), onRows)
  refuseShrunk(rows, before)
  if (added + removed > 0) await enqueueExploitedRefresh(tx, now)
  return { records: rows, added, changed: 0, withdrawn: removed }
}

/** The rows of the mapping file. Refuses a line that is none; a row without a CVE id maps nothing. */
async function* readMapping(path: string): AsyncGenerator<EuvdMapping> {
  let number = 0
  for await (const bytes of splitLines(path)) {
    number += 1
    const line = bytes.subarray(0, 200).toString('utf8').trim()
    if (number === 1 && !isMappingHeader(line)) {
      throw new RefusedData(`expected the line euvd_id,cve_id, found ${describeContent(bytes)}`)
    }
    if (number === 1 || line === '' || line.endsWith(',')) continue
    const row = rowForm.exec(line)
    if (row?.[1] === undefined || row[2] === undefined || number > maxRows) {
      throw new RefusedData(
        `line ${number}: expected an EUVD id and a CVE id, found ${describeContent(bytes)}`,
      )
    }
    yield { euvdId: row[1].toUpperCase(), cveId: row[2].toUpperCase() }
  }
}

type MappingChanges = { rows: number; before: number; added: number; removed: number }

/** Replaces the stored mapping by the rows given, in the import's transaction; rows that stay are not touched. */
async function storeMapping(
  tx: Tx,
  rows: AsyncIterable<EuvdMapping>,
  onRows: (count: number) => void,
): Promise<MappingChanges> {
  await sql`create temporary table new_mapping (euvd_id text, cve_id text) on commit drop`.execute(tx)
  let pending: EuvdMapping[] = []
  let read = 0
  const flush = async () => {
    await sql`insert into new_mapping
      select * from unnest(${pending.map((row) => row.euvdId)}::text[], ${pending.map((row) => row.cveId)}::text[])`.execute(
      tx,
    )
    pending = []
    onRows(read)
  }
  for await (const row of rows) {
    pending.push(row)
    read += 1
    if (pending.length >= rowsPerStatement) await flush()
  }
  await flush()
  return applyMapping(tx)
}

async function applyMapping(tx: Tx): Promise<MappingChanges> {
  const { rows } = await sql<MappingChanges>`
    with wanted as materialized (select distinct euvd_id, cve_id from new_mapping),
    gone as (
      delete from euvd_mapping m
      where not exists (select from wanted w where w.euvd_id = m.euvd_id and w.cve_id = m.cve_id)
      returning 1
    ),
    added as (
      insert into euvd_mapping (euvd_id, cve_id)
      select euvd_id, cve_id from wanted
      on conflict do nothing
      returning 1
    )
    select (select count(*) from wanted) as rows, (select count(*) from euvd_mapping) as before,
      (select count(*) from added) as added, (select count(*) from gone) as removed`.execute(tx)
  const [changes] = rows
  if (changes === undefined) throw new Error('the mapping statement answered no row')
  return changes
}
