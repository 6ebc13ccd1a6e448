import { keyGeneration } from '../../versions/ordering.ts'
import { compileMatches, type CompiledMatches } from '../cpe/compile-matches.ts'
import { vulnerableMatches } from '../cpe/configurations.ts'
import { readCve, type NvdCve, type NvdSource } from './read-cve.ts'
import { severityOfCve } from './severity.ts'
import { hashOf, noRanges, type CompiledRecord } from '../compiled-record.ts'
import { recordOfCve } from '../record-of-cve.ts'

/** An NVD entry as it is stored: an OSV record's shape, with what the product runs on beside its ranges. */
export type CompiledCve = CompiledRecord & { source: NvdSource; ranges: () => CompiledMatches }

/** Raised whenever the same entry compiles to other rows than before: stored ranges are then replaced at the next import. */
export const compilerGeneration = 7

export const idPrefixes: Record<NvdSource, string> = { nvd: 'NVD:', 'nvd-overrides': 'NVD-OVERRIDE:' }

/** Works out everything that is stored of an NVD entry. `name` says in messages where it came from. Refuses with `RefusedData`. */
export function compileCve(value: unknown, name: string): CompiledCve {
  const cve = readCve(value, name)
  const stated = { ...cve, score: severityOfCve(cve) }
  return {
    ...recordOfCve(stated, { prefix: idPrefixes[cve.source], kept: cve.content }),
    source: cve.source,
    decidingHash: decidingHash(cve),
    ranges: () => (cve.isRejected ? noRanges() : compileMatches(vulnerableMatches(cve.configurations))),
  }
}

/** Texts, references and scores change often and change no match. */
function decidingHash({ cveId, source, isRejected, configurations }: NvdCve): string {
  return hashOf(
    JSON.stringify([compilerGeneration, keyGeneration, source, cveId, isRejected, configurations]),
  )
}
