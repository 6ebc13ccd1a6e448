import { hashOf, noRanges, type CompiledRecord } from '../compiled-record.ts'
import { redHatRecordId, type StoredRedHatVex } from '../red-hat-word.ts'
import { readVex } from './read-vex.ts'

/** Raised whenever another part of a file is kept than before. */
export const compilerGeneration = 2

/**
 * Keeps of a file what Red Hat says of packages of its system: some kilobytes of some megabytes. The record has no ranges and no severity, and is
 * no alias of the CVE, so that it finds nothing, closes nothing and scores nothing. `name` says in messages where the file came from. Refuses with
 * `RefusedData`.
 */
export function compileVex(value: unknown, name: string): CompiledRecord {
  const vex = readVex(value, name)
  const id = redHatRecordId(vex.cveId)
  const stored: StoredRedHatVex = {
    cve: vex.cveId,
    stated: vex.modifiedAt.toISOString(),
    statements: vex.statements,
  }
  const document = JSON.stringify(stored)
  return {
    id,
    source: 'redhat-vex',
    class: 'informational',
    summary: vex.title,
    severity: 'unknown',
    score: null,
    vector: null,
    modifiedAt: vex.modifiedAt,
    publishedAt: vex.publishedAt,
    withdrawnAt: vex.isDeleted ? vex.modifiedAt : null,
    document,
    ecosystems: [],
    decidingHash: hashOf(JSON.stringify([compilerGeneration, id, vex.isDeleted])),
    documentHash: hashOf(document),
    assertions: [
      { otherId: id, relation: 'self', bridges: true },
      { otherId: vex.cveId, relation: 'related', bridges: false },
    ],
    ranges: noRanges,
  }
}
