import { stat } from 'node:fs/promises'
import { onlyArgument, type Command } from '../command.ts'
import type { Process } from '../open-process.ts'
import { progressLine } from '../progress.ts'

/** A backup of the whole database, its check and its restoring (docs/backups.md). */
export const backupCommands: Record<string, Command> = {
  backup: {
    usage: 'backup <file>',
    summary:
      'write everything the database holds, as it is at this moment, to one compressed file, and check it',
    run: backUp,
    leavesSchema: true,
  },
  'backup verify': {
    usage: 'backup verify <file>',
    summary:
      'restore a backup into a scratch database beside the one of the service, which goes on, and compare what is there with what the file says; status 1 when anything differs',
    run: async (process, args, lifetime) => {
      const { verifyBackupFile } = await import('../verify/verify-backup.ts')
      return verifyBackupFile(process, args, lifetime)
    },
    leavesSchema: true,
  },
  restore: {
    usage: 'restore <file>',
    summary: 'check a backup and write it to an empty database, the embedded one or that of DATABASE_URL',
    run: restore,
    leavesSchema: true,
  },
}

async function backUp({ db, connection, now }: Process, args: string[]): Promise<unknown> {
  const file = onlyArgument(args, 'a file to write')
  const { writeBackup } = await import('../../backup/write-backup.ts')
  const { recordBackup } = await import('../../backup/finished-backup.ts')
  const { header, tables, rows } = await writeBackup(connection, {
    file,
    now: now(),
    onProgress: progressLine(),
  })
  const { size } = await stat(file)
  await recordBackup(db, { finishedAt: now(), bytes: size })
  const objects = await countObjects(db, tables)
  if (objects.apart > 0) {
    globalThis.process.stderr.write(
      `${objects.apart} originals lie in the object store and not in this file: the bucket is backed up separately (docs/object-storage.md).\n`,
    )
  }
  sayLost(objects)
  return {
    file,
    bytes: size,
    createdAt: header.createdAt,
    tables: Object.fromEntries(tables),
    rows,
    ...objectCounts(objects),
  }
}

async function restore(process: Process, args: string[]): Promise<unknown> {
  const file = onlyArgument(args, 'a backup file')
  const { restoreBackup } = await import('../../backup/restore-backup.ts')
  const { migrationsFolder } = await import('../open-process.ts')
  const { countAllUnusable, unusableInWords } = await import('../../views/operation/unusable.ts')
  const { header, tables, rows } = await restoreBackup(process.connection, {
    file,
    migrationsFolder: migrationsFolder(process.config),
    onProgress: progressLine(),
  })
  const unusable = await countAllUnusable(process)
  for (const line of unusableInWords(unusable)) globalThis.process.stderr.write(`${line}\n`)
  const objects = await countObjects(process.db, tables)
  if (objects.apart > 0) {
    globalThis.process.stderr.write(
      `${objects.apart} originals lie in an object store: set OBJECT_STORE_URL to the bucket that belongs to this backup, and run "objects check".\n`,
    )
  }
  sayLost(objects)
  return {
    file,
    createdAt: header.createdAt,
    tables: Object.fromEntries(tables),
    rows,
    ...objectCounts(objects),
    ...unusable,
  }
}

type Objects = { apart: number; lost: number }

/** Originals in the object store, and those given up as lost. An older schema knows none. */
async function countObjects(db: Process['db'], tables: ReadonlyMap<string, number>): Promise<Objects> {
  const all = tables.get('original_object') ?? 0
  if (all === 0) return { apart: 0, lost: 0 }
  const { countLost } = await import('../../originals/object-rows.ts')
  const lost = Math.min(all, await countLost(db)) // some may have been lost since the file was begun
  return { apart: all - lost, lost }
}

function sayLost({ lost }: Objects): void {
  if (lost > 0)
    globalThis.process.stderr.write(`Originals given up as lost: ${lost} (docs/object-storage.md).\n`)
}

/** Said where there are some. */
function objectCounts({ apart, lost }: Objects): { objectsApart?: number; objectsLost?: number } {
  return {
    ...(apart === 0 ? {} : { objectsApart: apart }),
    ...(lost === 0 ? {} : { objectsLost: lost }),
  }
}
