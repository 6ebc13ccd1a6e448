import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/schema/migrate.ts'
import type { TestDatabase } from '../support/database.ts'
import { checkoutDir } from '../support/test-server.ts'

const migrations = join(checkoutDir, 'database', 'migrations')

/** Migrates an empty database as far as a release did that ended before the migration with this number. */
export async function migrateBefore({ connection }: TestDatabase, number: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    const files = (await readdir(migrations)).filter((name) => name < number)
    await Promise.all(files.map((file) => copyFile(join(migrations, file), join(folder, file))))
    await migrate(connection, folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The upgrade to this release. */
export async function upgrade({ connection }: TestDatabase): Promise<void> {
  await migrate(connection, migrations)
}
