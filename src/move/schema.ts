import type { Client } from 'pg'
import type { ArchiveHeader } from './archive.ts'
import { MoveError } from './move-error.ts'

export async function selectMigrations(session: Client): Promise<ArchiveHeader['migrations']> {
  const { rows } = await session.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration ORDER BY version',
  )
  return rows
}

/** Rows fit the schema they were written with, and no other one. Throws MoveError `schema_differs`. */
export async function refuseOtherSchema(
  session: Client,
  { migrations: theirs }: ArchiveHeader,
): Promise<void> {
  const ours = await selectMigrations(session)
  if (theirs.length !== ours.length) {
    const [newer, older] =
      theirs.length > ours.length ? ['archive', 'installation'] : ['installation', 'archive']
    throw new MoveError(
      'schema_differs',
      `The ${newer} is newer than the ${older}: the archive has schema version ${theirs.length}, this installation ${ours.length}. ` +
        'Bring both installations to the same release and export again. Nothing was written.',
    )
  }
  const place = theirs.findIndex((step, index) => step.sha256 !== ours[index]?.sha256)
  if (place === -1) return
  throw new MoveError(
    'schema_differs',
    `The archive was written by a program with another migration in place ${place + 1}. Nothing was written.`,
  )
}

/** A column of the moved rows that refers to an account, found in the schema itself. */
export async function selectPersonColumns(session: Client): Promise<{ table: string; column: string }[]> {
  const { rows } = await session.query<{ table: string; column: string }>(`
    SELECT quote_ident(c.relname) AS "table", quote_ident(a.attname) AS "column"
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
    WHERE k.contype = 'f' AND k.confrelid IN ('person'::regclass, 'member'::regclass) AND a.attname <> 'workspace_id'
      AND c.relnamespace = current_schema()::regnamespace
    ORDER BY 1, 2`)
  return rows
}
