import type { Source } from '../sources/source.ts'
import type { OneFile } from './taking.ts'

/** Raised whenever one of these files gives other entries than before. */
const readerGeneration = 1

export function oneFile(file: OneFile): Source {
  const { id, label, brings, feed, begins, holds } = file
  return {
    id,
    label,
    brings,
    feed,
    file: {
      ...(begins === undefined ? {} : { begins }),
      ...(holds === undefined ? {} : { holds }),
      import: async (work) => (await import('./import-one-file.ts')).importOneFile(file, work),
    },
    refresh: async (turn) => (await import('./refresh-one-file.ts')).refreshOneFile(file, turn),
    readAgain: async (db) => (await import('../ledger/source-rows.ts')).forgetContent(db, id),
    readerGeneration,
  }
}
