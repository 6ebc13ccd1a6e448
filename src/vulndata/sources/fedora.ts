import { compilerGeneration, compileUpdate } from '../../records/fedora/compile-update.ts'
import { isPage, isUpdate, updatePrefix } from '../../records/fedora/read-update.ts'
import type { Source } from './source.ts'

/** Security updates of Fedora, as Bodhi publishes them (https://bodhi.fedoraproject.org): builds of source packages that fix a release. */
export const fedora: Source = {
  id: 'fedora',
  label: 'Fedora updates',
  forms: 'updates of Bodhi as NDJSON or a folder, a page of its answers',
  brings: 'records',
  decides: ['Fedora'],
  feed: { variable: 'FEDORA_URL', address: 'https://bodhi.fedoraproject.org/updates' },
  file: {
    holds: isPage,
    import: async (work) => (await import('./fedora/import-page.ts')).importPage(work),
  },
  records: {
    is: isUpdate,
    compile: (value, _, name) => compileUpdate(value, name),
    prefixes: [updatePrefix],
  },
  refresh: async (turn) => (await import('./fedora/refresh-fedora.ts')).refreshFedora(turn),
  isAwaited: async (db) => (await import('./fedora/refresh-fedora.ts')).isFedoraAwaited(db),
  readAgain: async (db) => (await import('./fedora/refresh-fedora.ts')).readFedoraAgain(db),
  readerGeneration: compilerGeneration,
}
