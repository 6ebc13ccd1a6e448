import { createHash } from 'node:crypto'
import { tokenPrefix } from '../../contract/tokens.ts'
import { randomText } from '../../platform/random.ts'

/** Shown in lists: enough to recognise a token, useless to guess it. */
const shownCharacters = 10

/** A new token of 256 random bits. Only the hash is stored. */
export function newTokenSecret(): { secret: string; prefix: string; hash: Buffer } {
  const secret = tokenPrefix + randomText(32)
  return { secret, prefix: secret.slice(0, shownCharacters), hash: hashSecret(secret) }
}

/** SHA-256: no key derivation is needed for 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest()
}
