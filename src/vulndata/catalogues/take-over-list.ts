import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { parseDocument, readBounded } from '../../source-files/documents.ts'
import type { TakenOver, Taking } from '../one-file/taking.ts'
import { refuseShrunk } from '../one-file/refuse-shrunk.ts'
import type { ListedEntries } from './entry.ts'
import { storeEntries } from './store-entries.ts'

type List = { feed: string; catalogue: Catalogue; read: (value: unknown) => ListedEntries }

export async function takeOverList(
  tx: Tx,
  { feed, catalogue, read }: List,
  { path, now, recordsBefore }: Taking,
): Promise<TakenOver> {
  const { value } = parseDocument({ name: 'the catalogue', bytes: await readBounded(path) })
  const { entries, total, releasedAt = null } = read(value)
  if (total !== undefined) refuseShrunk(total, recordsBefore)
  const { added, returned, edited, removed } = await storeEntries(tx, { feed, catalogue, entries, now })
  const records = total ?? entries.length
  return { records, added: added + returned, changed: edited, withdrawn: removed, releasedAt }
}
