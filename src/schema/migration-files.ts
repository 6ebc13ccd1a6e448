import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One forward step of the schema, as it lies in database/migrations. */
export type Migration = { version: number; name: string; text: string; sha256: string }

/** Why the schema cannot be migrated to the state of the code. */
export type MigrationErrorCode =
  /** The folder holds a misnamed file, or the numbers do not run 1, 2, 3 … */
  | 'files_invalid'
  /** The database has steps this code does not know: it belongs to a newer release. */
  | 'database_newer'
  /** The role may not create tables in the database. */
  | 'not_allowed'
  /** A file differs from what was applied under its number. */
  | 'file_changed'
  /** PostgreSQL refused a step; nothing of it is kept. */
  | 'step_failed'

export class MigrationError extends Error {
  readonly code: MigrationErrorCode

  constructor(code: MigrationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MigrationError'
    this.code = code
  }
}

const fileName = /^(?<version>\d{4})_(?<name>[a-z0-9_]{1,80})\.sql$/

/**
 * The steps of a folder in their order. A file that would be left out by its name is an error, as is a gap: both are
 * mistakes that otherwise show in production. Synchronously, because every start reads them before any request. Throws `files_invalid`.
 */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).sort()
  const migrations: Migration[] = []
  for (const file of names) {
    const match = fileName.exec(file)
    const { version, name } = match?.groups ?? {}
    if (version === undefined || name === undefined) {
      throw new MigrationError('files_invalid', `${file} in ${folder} is not named NNNN_name.sql.`)
    }
    if (Number(version) !== migrations.length + 1) {
      const expected = String(migrations.length + 1).padStart(4, '0')
      throw new MigrationError(
        'files_invalid',
        `Migration ${expected} was expected in ${folder}, found ${file}.`,
      )
    }
    const text = readFileSync(join(folder, file), 'utf8')
    migrations.push({ version: Number(version), name, text, sha256: hashOf(text) })
  }
  return migrations
}

/** Line ends do not count: a checkout may have changed them. */
function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}
