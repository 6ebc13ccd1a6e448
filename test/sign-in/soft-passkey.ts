import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** A device with one passkey, in software (W3C Web Authentication, level 3, §6.1 and §6.5). */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url')
  readonly #key: KeyObject
  readonly #publicKey: Uint8Array
  count = 0
  /** User verification was done. */
  verifies = true

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    // COSE key: kty EC2, alg ES256, crv P-256 (RFC 9053 §2.1, §7.1)
    this.#publicKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
        [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
      ]),
    )
  }

  register(challenge: string, { origin, rpId }: RelyingParty) {
    const length = Buffer.alloc(2)
    const id = Buffer.from(this.id, 'base64url')
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey])
    const authData = Uint8Array.from(Buffer.concat([this.#head(rpId, 0x40), attested]))
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    const attestationObject = isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', challenge, origin),
      attestationObject: text(attestationObject),
      transports: ['internal'],
    })
  }

  sign(challenge: string, { origin, rpId }: RelyingParty) {
    this.count += 1
    const authenticatorData = this.#head(rpId, 0)
    const clientDataJSON = clientData('webauthn.get', challenge, origin)
    const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authenticatorData, digest]), this.#key)
    return this.#answer({
      clientDataJSON,
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    })
  }

  #head(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.count)
    const present = 0x01 | (this.verifies ? 0x04 : 0)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags | present]), count])
  }

  #answer<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {}, response }
  }
}

export type RelyingParty = { origin: string; rpId: string }

function clientData(type: string, challenge: string, origin: string): string {
  return text(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })))
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
