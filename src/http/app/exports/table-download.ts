import type { Readable } from 'node:stream'
import type { TableFormat } from '../../../contract/audit/audit.ts'
import type { Download } from '../routing/handle.ts'

type Table = { format: TableFormat; now: Date; content: Readable }

/** A list as a file, named after what it is and the day: `acme-audit-2026-01-31.csv`. */
export function tableDownload(name: string, { format, now, content }: Table): Download {
  const fileName = `${name}-${now.toISOString().slice(0, 10)}.${format}`
  return format === 'csv' ? { fileName, content, type: 'text/csv; charset=utf-8' } : { fileName, content }
}
