import type { Db } from '../../src/database/connection.ts'
import { importRecords } from '../../src/vulndata/import-records.ts'
import { waitingAtMost } from '../../src/vulndata/ledger/import-lock.ts'
import { readHere, type Compile } from '../../src/vulndata/reading/record-reading.ts'

/** Imports one record as a part of its source, in this process. */
export async function importDocument(
  db: Db,
  document: unknown,
  { compile, now }: { compile: Compile; now: Date },
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(document))
  const read = async function* () {
    yield await Promise.resolve({ name: 'record', bytes })
  }
  await importRecords(db, {
    reading: readHere({ count: 1, read, sample: read, close: () => Promise.resolve() }, compile),
    label: 'record',
    address: 'test',
    ecosystem: null,
    extent: 'part',
    waiting: waitingAtMost(60_000),
    now,
    onProgress: () => undefined,
  })
}
