import { createHash } from 'node:crypto'
import { keyGeneration } from '../../formats/versions/ordering.ts'
import type { Assertion } from '../osv/assertions.ts'
import type { CompiledRecord } from '../osv/compile-record.ts'
import { compileMatches, type CompiledMatches } from './compile-matches.ts'
import { vulnerableMatches } from './configurations.ts'
import { readCve, type NvdCve, type NvdSource } from './read-cve.ts'
import { severityOfCve } from './severity.ts'

/** An NVD entry as it is stored: an OSV record's shape, with what the product runs on beside its ranges. */
export type CompiledCve = CompiledRecord & { source: NvdSource; ranges: () => CompiledMatches }

/** Raised whenever the same entry compiles to other rows than before: stored ranges are then replaced at the next import. */
const compilerGeneration = 2

/** The ecosystem of every product named by CPE. */
export const cpeEcosystem = 'cpe'

export const idPrefixes: Record<NvdSource, string> = { nvd: 'NVD:', 'nvd-overrides': 'NVD-OVERRIDE:' }

/**
 * Works out everything that is stored of an NVD entry. `name` says in messages where it came from. Refuses with `RefusedData`.
 *
 * Its id is `NVD:CVE-…`, because other databases have records whose own id is the bare CVE id; that is its one alias, so they fall
 * into one group and a catalogue that lists the CVE lists the record directly. A rejected entry is withdrawn.
 */
export function compileCve(value: unknown, name: string): CompiledCve {
  const cve = readCve(value, name)
  const document = JSON.stringify(cve.content)
  const id = idPrefixes[cve.source] + cve.cveId
  return {
    ...severityOfCve(cve),
    id,
    source: cve.source,
    class: 'vulnerability',
    summary: cve.summary,
    modifiedAt: cve.modifiedAt,
    publishedAt: cve.publishedAt,
    withdrawnAt: cve.isRejected ? cve.modifiedAt : null,
    // without the white space of the feed, so that laying it out anew changes nothing
    document,
    ecosystems: [cpeEcosystem],
    decidingHash: decidingHash(cve),
    documentHash: hashOf(document),
    assertions: assertionsOf(id, cve),
    ranges: () =>
      cve.isRejected
        ? { ranges: [], unorderedBounds: 0 }
        : compileMatches(vulnerableMatches(cve.configurations)),
  }
}

/** Of a record of its own that is about one CVE: that is its one alias, and none any more once it is rejected. */
export function assertionsOf(
  id: string,
  { cveId, isRejected }: { cveId: string; isRejected: boolean },
): Assertion[] {
  return [
    { otherId: id, relation: 'self', bridges: true },
    { otherId: cveId, relation: 'alias', bridges: !isRejected },
  ]
}

/** Texts, references and scores change often and match nothing anew. */
function decidingHash({ cveId, source, isRejected, configurations }: NvdCve): string {
  return hashOf(
    JSON.stringify([compilerGeneration, keyGeneration, source, cveId, isRejected, configurations]),
  )
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
