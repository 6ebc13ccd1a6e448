import { hashOf, type Assertion, type CompiledRecord, type RecordSeverity } from './compiled-record.ts'
import { cpeEcosystem } from './cpe/vulnerable-match.ts'

type Stated = {
  cveId: string
  summary: string
  /** null: nobody scores it. */
  score: RecordSeverity | null
  modifiedAt: Date
  publishedAt: Date | null
  isRejected: boolean
}

/**
 * The stored form of a source's record about one CVE, except for its source and the parts that decide its matches. `kept` is the stored
 * part of the document, without white space, so that a new layout changes nothing.
 *
 * Its id is a prefix and the CVE, because other databases have records whose own id is the bare CVE id; that is its one alias, so that they
 * fall into one group and a catalogue that lists the CVE lists the record directly. A rejected CVE is withdrawn.
 */
export function recordOfCve(
  { cveId, summary, score, modifiedAt, publishedAt, isRejected }: Stated,
  { prefix, kept }: { prefix: string; kept: unknown },
): Omit<CompiledRecord, 'source' | 'decidingHash' | 'ranges'> {
  const document = JSON.stringify(kept)
  const id = prefix + cveId
  return {
    id,
    class: 'vulnerability',
    summary,
    severity: score?.severity ?? 'unknown',
    score: score?.score ?? null,
    vector: score?.vector ?? null,
    modifiedAt,
    publishedAt,
    withdrawnAt: isRejected ? modifiedAt : null,
    document,
    ecosystems: [cpeEcosystem],
    documentHash: hashOf(document),
    assertions: assertionsAbout(id, cveId, isRejected),
  }
}

function assertionsAbout(id: string, cveId: string, isRejected: boolean): Assertion[] {
  return [
    { otherId: id, relation: 'self', bridges: true },
    { otherId: cveId, relation: 'alias', bridges: !isRejected },
  ]
}
