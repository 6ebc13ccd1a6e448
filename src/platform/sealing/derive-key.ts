import { hkdfSync } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

/** A key for a single purpose other than sealing, and the id of the sealing key it comes from. */
export type DerivedKey = { id: number; key: Buffer }

const derivedBytes = 32

/** HKDF-SHA256 (RFC 5869) of the key that writes; once another key writes, `derivedKeyOf` still checks what this one signed. */
export function derivedKey({ writing }: KeyRing, purpose: string): DerivedKey {
  return { id: writing.id, key: derive(writing.key, purpose) }
}

/** The key derived from an earlier one; undefined when that one is missing. */
export function derivedKeyOf(ring: KeyRing, id: number, purpose: string): Buffer | undefined {
  const found = ring.find(id)
  return found === undefined ? undefined : derive(found.key, purpose)
}

function derive(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `sbom-monitor ${purpose}`, derivedBytes))
}
