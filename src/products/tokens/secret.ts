import { tokenPrefix } from '../../contract/tokens/shapes.ts'
import { randomText } from '../../platform/random.ts'
import { hashSecret } from '../../platform/secret-hash.ts'

/** Shown in lists: enough to recognise a token, useless to guess it. */
const shownCharacters = 10

/** A new token of 256 random bits. Only the hash is stored. */
export function newTokenSecret(): { secret: string; prefix: string; hash: Buffer } {
  const secret = tokenPrefix + randomText(32)
  return { secret, prefix: secret.slice(0, shownCharacters), hash: hashSecret(secret) }
}
