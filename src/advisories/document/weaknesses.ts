import { weaknesses as catalogue } from '@secvisogram/csaf-validator-lib/cwe.js'
import type { Weakness } from '../../contract/advisories/shapes.ts'

const names = new Map(catalogue.map(({ id, name }) => [id, name]))

/** What the CWE catalogue that documents are tested with calls a weakness (CSAF 2.0, 6.1.11); undefined: it has none of that id. */
export function weaknessName(id: string): string | undefined {
  return names.get(id)
}

/** Every weakness of it, by number. */
export function listWeaknesses(): Weakness[] {
  const numberOf = (id: string) => Number(id.slice('CWE-'.length))
  return [...names].map(([id, name]) => ({ id, name })).toSorted((a, b) => numberOf(a.id) - numberOf(b.id))
}
