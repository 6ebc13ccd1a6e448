import { keyGeneration } from '../../identities/versions/ordering.ts'
import { compileMatches, type CompiledMatches } from '../cpe/compile-matches.ts'
import { vulnerableMatches } from '../cpe/configurations.ts'
import { readCve, type NvdCve, type NvdSource } from './read-cve.ts'
import { severityOfCve } from './severity.ts'
import { hashOf, type CompiledRecord } from '../compiled-record.ts'
import { cpeEcosystem } from '../cpe/vulnerable-match.ts'
import { assertionsAbout } from '../cve.ts'

/** An NVD entry as it is stored: an OSV record's shape, with what the product runs on beside its ranges. */
export type CompiledCve = CompiledRecord & { source: NvdSource; ranges: () => CompiledMatches }

/** Raised whenever the same entry compiles to other rows than before: stored ranges are then replaced at the next import. */
const compilerGeneration = 5

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
    // without the white space of the feed, so that a new layout changes nothing
    document,
    ecosystems: [cpeEcosystem],
    decidingHash: decidingHash(cve),
    documentHash: hashOf(document),
    assertions: assertionsAbout(id, cve),
    ranges: () =>
      cve.isRejected
        ? { ranges: [], unorderedBounds: 0 }
        : compileMatches(vulnerableMatches(cve.configurations)),
  }
}

/** Texts, references and scores change often and change no match. */
function decidingHash({ cveId, source, isRejected, configurations }: NvdCve): string {
  return hashOf(
    JSON.stringify([compilerGeneration, keyGeneration, source, cveId, isRejected, configurations]),
  )
}
