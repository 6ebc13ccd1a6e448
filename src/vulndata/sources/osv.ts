import { osvEcosystems } from '../../identities/ecosystems.ts'
import { fieldOf } from '../../source-files/fields.ts'
import { reconcilePrefix } from '../../records/ecosystem-source.ts'
import { compilerGeneration } from '../../records/osv/compile-ranges.ts'
import { compileRecord } from '../../records/osv/compile-record.ts'
import type { RecordKind, Source } from './source.ts'

export const osvRecords: RecordKind = {
  is: (value) => typeof fieldOf(value, 'id') === 'string' && typeof fieldOf(value, 'modified') === 'string',
  compile: compileRecord,
}

/** The database of open-source vulnerabilities (https://osv.dev): one part for each ecosystem. */
export const osv: Source = {
  id: 'osv',
  label: 'OSV',
  forms: 'all.zip, folder, NDJSON, mirror',
  brings: 'records',
  decides: osvEcosystems,
  hasParts: true,
  feed: { variable: 'OSV_URL', address: 'https://osv-vulnerabilities.storage.googleapis.com' },
  sideRows: [reconcilePrefix],
  records: osvRecords,
  layout: {
    folder: async (work, path) => (await import('./osv/import-mirror.ts')).importFolder(work, path),
    address: async (work, web) => (await import('./osv/import-mirror.ts')).importAddress(work, web),
  },
  refresh: async (turn) => (await import('./osv/refresh-osv.ts')).refreshOsv(turn),
  isAwaited: async (db) => (await import('./osv/refresh-osv.ts')).isOsvAwaited(db),
  readAgain: async (db) => (await import('./osv/refresh-osv.ts')).readOsvAgain(db),
  readerGeneration: compilerGeneration,
}
