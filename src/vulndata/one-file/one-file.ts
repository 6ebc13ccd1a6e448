import type { Source } from '../sources/source.ts'
import type { OneFile } from './taking.ts'

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
  }
}
