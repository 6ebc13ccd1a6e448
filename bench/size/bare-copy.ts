import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openZip } from '../../src/source-files/zip-entries.ts'
import type { MadeFile } from './made-files.ts'

/** The least that an import has to do: inflate, `JSON.parse`, and `COPY` of the documents into a table with one key. Returns milliseconds. */
export async function bareCopy(sql: Client, files: readonly MadeFile[]): Promise<number> {
  await sql.query('create table bench_document (name text primary key, document text not null)')
  const startedAt = performance.now()
  const copy = sql.query(copyFrom('copy bench_document (name, document) from stdin'))
  for (const { path } of files) {
    const zip = await openZip(path)
    for await (const { name, bytes } of zip.read()) {
      const text = JSON.stringify(JSON.parse(bytes.toString()))
      if (!copy.write(`${name}\t${text.replaceAll('\\', '\\\\')}\n`)) await once(copy, 'drain')
    }
    await zip.close()
  }
  copy.end()
  await finished(copy)
  const ms = performance.now() - startedAt
  await sql.query('drop table bench_document')
  return ms
}
