import { textField, timeOf } from '../source-files/fields.ts'
import type { Assertion } from './compiled-record.ts'

const cveForm = /^CVE-\d{4}-\d{4,19}$/

export function isCveId(id: unknown): id is string {
  return typeof id === 'string' && cveForm.test(id)
}

/** Whether it looks like a CVE id: for ids of stored records, which were validated on arrival. */
export function isCve(id: string): boolean {
  return id.startsWith('CVE-')
}

/** The key that groups the records of a distribution on one CVE alone. */
export function noticeId(ecosystem: string, cve: string): string {
  return `${ecosystem} ${cve}`
}

/** Of a distribution's notice on packages: the CVEs that it is about, and others that it mentions (docs/decisions/0023-notices-of-one-cve.md). */
export function assertionsOfNotice(
  ecosystem: string,
  { id, cves, relatedCves }: { id: string; cves: readonly string[]; relatedCves: readonly string[] },
): Assertion[] {
  const about = cves.map((otherId): Assertion => ({ otherId, relation: 'upstream', bridges: false }))
  const mentioned = relatedCves.map((otherId): Assertion => ({
    otherId,
    relation: 'related',
    bridges: false,
  }))
  const [only] = cves
  const isAlone = only !== undefined && cves.length === 1
  return [
    { otherId: id, relation: 'self', bridges: true },
    ...about,
    ...mentioned,
    ...(isAlone ? [{ otherId: noticeId(ecosystem, only), relation: 'notice', bridges: true } as const] : []),
  ]
}

/** NVD and the CVE program write times in UTC without saying so (`2021-12-10T10:15:09.143`). */
export function timeField(value: unknown, key: string): Date | null {
  const text = textField(value, key, 40)
  return timeOf(text !== null && /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? `${text}Z` : text)
}
