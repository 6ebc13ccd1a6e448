import { compileScore, isEuvdRecord } from '../euvd/compile-score.ts'
import { compileCve } from '../nvd/compile-cve.ts'
import { isOverride } from '../nvd/read-cve.ts'
import { compileRecord, type CompiledRecord } from '../osv/compile-record.ts'
import { parseDocument, type SourceDocument } from '../osv/documents.ts'
import { fieldOf } from '../osv/fields.ts'
import { compileCveRecord } from '../vulnrichment/compile-cve-record.ts'
import { isCveRecord } from '../vulnrichment/read-cve-record.ts'

/** Reads one document; undefined for one that belongs beside records. Refuses with `RefusedData`. */
export type Compile = (document: SourceDocument) => CompiledRecord | undefined

/** An OSV record out of its document. */
export function compileOsv(document: SourceDocument): CompiledRecord {
  const { text, value } = parseDocument(document)
  return compileRecord(value, text, document.name)
}

/**
 * A document that a folder or file of records may hold: an OSV record, an override of an NVD entry, a CVE record, or a record of EUVD.
 * undefined: one of EUVD that scores no CVE, and a JSON schema, as the repository of vulnrichment has some beside its records.
 */
function compileAny(document: SourceDocument): CompiledRecord | undefined {
  const { text, value } = parseDocument(document)
  if (isCveRecord(value)) return compileCveRecord(value, document.name)
  if (isEuvdRecord(value)) return compileScore(value)
  if (isOverride(value)) return compileCve(value, document.name)
  return isSchema(value) ? undefined : compileRecord(value, text, document.name)
}

function isSchema(value: unknown): boolean {
  return typeof fieldOf(value, '$schema') === 'string' && typeof fieldOf(value, '$id') === 'string'
}

/** By name, because functions do not cross to a thread. */
export const compilers = { osv: compileOsv, any: compileAny } as const satisfies Record<string, Compile>
export type CompilerName = keyof typeof compilers
