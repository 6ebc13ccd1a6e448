import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import type { FeedPath } from './feed-path.ts'
import type { FeedState } from './feed-state.ts'
import { isAmbiguous } from './public-advisories.ts'
import { writeChanges, writeIndex } from './feed-indexes.ts'
import { providerMetadata } from './provider-metadata.ts'

/** A file of the public feed. */
export type FeedFile = {
  bytes: Buffer
  type: 'application/json' | 'text/plain' | 'text/csv'
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  sha256: string
  /** Of a document: when this version was published. */
  lastModified: Date | null
  /** The version before was published in the same second: the time alone does not tell them apart. */
  isAmbiguous: boolean
}

/** The file of a path; undefined when there is none (docs/public-api.md, "Public CSAF feed"). */
export async function readFeedFile(
  db: Db,
  path: FeedPath,
  { state, baseUrl }: { state: FeedState; baseUrl: string },
): Promise<FeedFile | undefined> {
  const { workspaceId } = state.publisher
  switch (path.kind) {
    case 'metadata':
      return textFile(`${JSON.stringify(providerMetadata(state, baseUrl), null, 2)}\n`, 'application/json')
    case 'index':
      return textFile(await writeIndex(db, workspaceId), 'text/plain')
    case 'changes':
      return textFile(await writeChanges(db, workspaceId), 'text/csv')
    case 'document':
      return readDocument(db, workspaceId, path)
    case 'sha256':
    case 'sha512':
      return readHash(db, workspaceId, path)
  }
}

function textFile(text: string, type: FeedFile['type']): FeedFile {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes, type, sha256, lastModified: null, isAmbiguous: false }
}

type DocumentPath = Extract<FeedPath, { year: number }>

/** The version `v` in force of the advisory `a` that has the file, if it is public. Index advisory_workspace_id_file_name_key. */
function publicVersion(workspaceId: string, { year, file }: DocumentPath) {
  return sql`advisory a
    join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal and v.tlp = 'WHITE'
    where a.workspace_id = ${workspaceId} and a.file_name = ${file} and a.year = ${year}`
}

async function readDocument(db: Db, workspaceId: string, path: DocumentPath): Promise<FeedFile | undefined> {
  const { rows } = await sql<{ bytes: Buffer; sha256: string; released_at: Date; is_ambiguous: boolean }>`
    select v.bytes, v.sha256, v.released_at, ${isAmbiguous('v')} as is_ambiguous
    from ${publicVersion(workspaceId, path)}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { bytes, sha256, released_at: lastModified } = row
  return { bytes, type: 'application/json', sha256, lastModified, isAmbiguous: row.is_ambiguous }
}

/** The digest of a document in the format of sha256sum and sha512sum. */
async function readHash(db: Db, workspaceId: string, path: DocumentPath): Promise<FeedFile | undefined> {
  const digest = path.kind === 'sha256' ? sql`v.sha256` : sql`v.sha512`
  const { rows } = await sql<{ digest: string }>`
    select ${digest} as digest from ${publicVersion(workspaceId, path)}`.execute(db)
  const [row] = rows
  return row === undefined ? undefined : textFile(`${row.digest}  ${path.file}\n`, 'text/plain')
}

/** SHA-256 of the document that a path names now; undefined: there is none. */
export async function selectDigest(
  db: Db,
  workspaceId: string,
  path: DocumentPath,
): Promise<string | undefined> {
  const { rows } = await sql<{ sha256: string }>`
    select v.sha256 from ${publicVersion(workspaceId, path)}`.execute(db)
  return rows[0]?.sha256
}
