import { createHash } from 'node:crypto'

/** SHA-256 of a secret of 256 random bits, which needs no key derivation: the stored form of a token, a session, a link. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest()
}
