import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

/** Where a sealed value lies. It opens nowhere else: not in another row, another workspace or for another purpose. */
export type SealedPlace = {
  /** `destination url` */
  purpose: string
  /** The person's id where it belongs to a person. */
  workspaceId: string
  rowId: string
}

/** A sealed value that cannot be opened: its key is missing, or the value was changed or moved. */
export class SealError extends Error {
  readonly code: 'unknown_key' | 'damaged'

  constructor(code: 'unknown_key' | 'damaged') {
    super(code === 'unknown_key' ? 'the key it was sealed with is missing' : 'the sealed value is damaged')
    this.name = 'SealError'
    this.code = code
  }
}

const cipher = 'aes-256-gcm'
const version = 1
const idStart = 1
const nonceStart = 5
const tagStart = 17
const textStart = 33
/** Without it, a tag cut to four bytes would be accepted. */
const authTagLength = 16

/** AES-256-GCM under the key that writes. Envelope: version (1 byte), key id (4), nonce (12), tag (16), content; text is UTF-8. */
export function seal({ writing }: KeyRing, place: SealedPlace, content: string | Uint8Array): Buffer {
  const head = Buffer.alloc(nonceStart)
  head[0] = version
  head.writeUInt32BE(writing.id, idStart)
  const nonce = randomBytes(tagStart - nonceStart)
  const sealing = createCipheriv(cipher, writing.key, nonce, { authTagLength })
  sealing.setAAD(associatedData(place))
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  const sealed = [sealing.update(bytes), sealing.final()]
  return Buffer.concat([head, nonce, sealing.getAuthTag(), ...sealed])
}

/** The content of an envelope. Throws `SealError`. */
export function open(ring: KeyRing, place: SealedPlace, envelope: Buffer): Buffer {
  if (envelope.length < textStart || envelope[0] !== version) throw new SealError('damaged')
  const found = ring.find(keyIdOf(envelope))
  if (found === undefined) throw new SealError('unknown_key')
  const nonce = envelope.subarray(nonceStart, tagStart)
  const opening = createDecipheriv(cipher, found.key, nonce, { authTagLength })
  opening.setAAD(associatedData(place))
  opening.setAuthTag(envelope.subarray(tagStart, textStart))
  try {
    return Buffer.concat([opening.update(envelope.subarray(textStart)), opening.final()])
  } catch {
    throw new SealError('damaged')
  }
}

/** What opens an envelope, tried; undefined: it is damaged, or its key is missing. */
export function tryOpen(opening: () => Buffer): Buffer | undefined {
  try {
    return opening()
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

export function keyIdOf(envelope: Buffer): number {
  return envelope.readUInt32BE(idStart)
}

/** Lengths keep the parts apart: no two places have the same. */
function associatedData({ purpose, workspaceId, rowId }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([purpose, workspaceId, rowId]))
}
