import type { Assertion } from '../compiled-record.ts'
import { isCve, noticeId } from '../cve.ts'
import { directoryOf } from './directory.ts'
import type { OsvRecord } from './read-record.ts'

/** Distributions' notices of fixed packages: the CVEs they are about are in `upstream`, AlmaLinux's in `related`. */
const errataPrefixes = [
  'ALSA-',
  'ALBA-',
  'ALEA-',
  'RLSA-',
  'RXSA-',
  'RHSA-',
  'RHBA-',
  'RHEA-',
  'SUSE-SU-',
  'SUSE-RU-',
  'SUSE-FU-',
  'openSUSE-SU-',
  'openSUSE-RU-',
  'USN-',
  'LSN-',
  'DSA-',
  'DLA-',
  'DTSA-',
  'ELSA-',
  'MGASA-',
  'OESA-',
]

/** More aliases than this on one record are more often a source's mistake than a fact. */
export const maxAliases = 5

/**
 * The assertions of a record, its own id first (OSV schema 1.7: `aliases` is symmetric and transitive, `upstream` and `related`
 * are not the same vulnerability).
 *
 * - A record listing two or more CVEs is a bundle: it names them but equals none of them.
 * - More than five aliases are not used for grouping; a single CVE among them is still what the record is about.
 * - CVEs among the `related` of an erratum count as its upstream.
 * - A distribution's records on one CVE alone are one vulnerability: `notice` is what they share.
 * - A withdrawn record no longer claims anything.
 */
export function assertionsOf(record: OsvRecord): Assertion[] {
  const assertions: Assertion[] = [{ otherId: record.id, relation: 'self', bridges: true }]
  const isErratum = errataPrefixes.some((prefix) => record.id.startsWith(prefix))
  const isBundle = listsSeveral(record, isErratum)
  const hasTooMany = record.aliases.length > maxAliases
  const bridges = !isBundle && !hasTooMany && record.withdrawnAt === null
  for (const otherId of record.aliases) {
    const relation = hasTooMany && !isBundle && isCve(otherId) ? 'upstream' : 'alias'
    assertions.push({ otherId, relation, bridges })
  }
  for (const otherId of record.upstream) assertions.push({ otherId, relation: 'upstream', bridges: false })
  for (const otherId of record.related) {
    assertions.push({
      otherId,
      relation: isErratum && isCve(otherId) ? 'upstream' : 'related',
      bridges: false,
    })
  }
  return distinct([...assertions, ...noticeOf(record, assertions)])
}

/** An erratum with a CVE as its alias and another one as its upstream fixes both, and equals neither. */
function listsSeveral({ id, aliases, upstream, related }: OsvRecord, isErratum: boolean): boolean {
  const same = [id, ...aliases].filter(isCve)
  const listed = isErratum && same.length > 0 ? [...same, ...[...upstream, ...related].filter(isCve)] : same
  return new Set(listed).size > 1
}

/** Of a record on one CVE that is not the same as it: the CVE in the first of its ecosystems. */
function noticeOf({ affected, withdrawnAt }: OsvRecord, assertions: readonly Assertion[]): Assertion[] {
  const named = assertions.filter(({ otherId, relation }) => isCve(otherId) && relation !== 'related')
  const cves = new Set(named.map(({ otherId }) => otherId))
  const isAlone = cves.size === 1 && named.every(({ relation }) => relation === 'upstream')
  const [ecosystem] = affected.map((entry) => directoryOf(entry.ecosystem)).sort()
  if (!isAlone || ecosystem === undefined || withdrawnAt !== null) return []
  return [...cves].map((cve) => ({ otherId: noticeId(ecosystem, cve), relation: 'notice', bridges: true }))
}

function distinct(assertions: Assertion[]): Assertion[] {
  const seen = new Map<string, Assertion>()
  for (const assertion of assertions) {
    const key = `${assertion.relation} ${assertion.otherId}`
    if (!seen.has(key)) seen.set(key, assertion)
  }
  return [...seen.values()]
}
