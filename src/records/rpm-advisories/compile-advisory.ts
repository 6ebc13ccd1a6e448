import type { Severity } from '../../contract/severities.ts'
import { scoreCvss } from '../../formats/cvss/cvss.ts'
import { keyGeneration } from '../../versions/ordering.ts'
import { timeOf } from '../../source-files/fields.ts'
import { hashOf, type Assertion, type CompiledRecord, type RecordSeverity } from '../compiled-record.ts'
import { noticeId } from '../cve.ts'
import type { RpmAdvisory } from './advisory.ts'
import { compileFixes } from './compile-fixes.ts'
import { readAdvisory } from './read-advisory.ts'

/** Raised whenever the same notice compiles to different rows: what is stored is then replaced at the next import. */
export const compilerGeneration = 1

/** A distribution's notice as it is stored. `source`: its publisher. Refuses with `RefusedData`. */
export function compileAdvisory(
  value: unknown,
  { document, name, source }: { document: string; name: string; source: string },
): CompiledRecord {
  const advisory = readAdvisory(value, name)
  const { id, platforms, title, cves, issued, updated } = advisory
  const publishedAt = timeOf(issued)
  const ecosystems = [...new Set(platforms.map(({ ecosystem }) => nameOf(ecosystem)))].sort()
  const deciding = [compilerGeneration, keyGeneration, id, title, cves, platforms]
  return {
    ...severityOf(advisory),
    id,
    source,
    class: 'vulnerability',
    summary: title,
    modifiedAt: timeOf(updated) ?? publishedAt ?? new Date(0),
    publishedAt,
    withdrawnAt: null,
    document,
    ecosystems,
    decidingHash: hashOf(JSON.stringify(deciding)),
    documentHash: hashOf(document),
    assertions: assertionsOf(advisory, ecosystems),
    ranges: () => compileFixes(advisory),
  }
}

function nameOf(ecosystem: string): string {
  return ecosystem.split(':', 1)[0] ?? ''
}

/** A notice is about its CVEs but equals none of them; the notices of one distribution on one CVE alone are one vulnerability. */
function assertionsOf({ id, cves }: RpmAdvisory, [ecosystem]: readonly string[]): Assertion[] {
  const [only, ...others] = cves
  const upstream = cves.map((otherId): Assertion => ({ otherId, relation: 'upstream', bridges: false }))
  const isAlone = only !== undefined && others.length === 0 && ecosystem !== undefined
  return [
    { otherId: id, relation: 'self', bridges: true },
    ...upstream,
    ...(isAlone ? [{ otherId: noticeId(ecosystem, only), relation: 'notice', bridges: true } as const] : []),
  ]
}

const words = new Map<string, Severity>([
  ['critical', 'critical'],
  ['important', 'high'],
  ['high', 'high'],
  ['moderate', 'medium'],
  ['medium', 'medium'],
  ['low', 'low'],
])

/** The distribution's own word decides; the highest score of its CVEs is stored beside it (docs/decisions/0006-severities.md). */
function severityOf({ severity: word, vectors }: RpmAdvisory): RecordSeverity {
  const scored = vectors.flatMap((vector) => {
    const cvss = scoreCvss(vector)
    return cvss === undefined ? [] : [{ vector, score: cvss.score, severity: cvss.severity }]
  })
  const [gravest] = scored.sort((a, b) => b.score - a.score)
  const severity = words.get(word.toLowerCase()) ?? gravest?.severity ?? 'unknown'
  return { severity, score: gravest?.score ?? null, vector: gravest?.vector ?? null }
}
