import { createHash, createHmac } from 'node:crypto'
import type { SignatureV4 } from '@smithy/signature-v4'
import type { ObjectStoreKeys } from '../../platform/config/aws-variables.ts'
import type { Bucket } from '../../platform/config/object-store.ts'

export type Unsigned = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  path: string
  query: Record<string, string>
  /** Hexadecimal, of the body. */
  bodySha256: string
}

/** The headers of a signed request: AWS Signature Version 4, which every store with an S3 API reads. */
export type Signer = (request: Unsigned) => Promise<Record<string, string>>

/** AWS's own signer; a service without an object store never loads it. */
export function createSigner(place: Bucket, keys: ObjectStoreKeys): Signer {
  const { hostname, host, protocol, port } = new URL(place.origin)
  let loading: Promise<SignatureV4> | undefined
  return async ({ method, path, query, bodySha256 }) => {
    loading ??= load(place, keys)
    const signed = await (
      await loading
    ).sign({
      method,
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      path,
      query,
      headers: { host, 'x-amz-content-sha256': bodySha256 },
    })
    return signed.headers
  }
}

async function load({ region }: Bucket, credentials: ObjectStoreKeys): Promise<SignatureV4> {
  const { SignatureV4 } = await import('@smithy/signature-v4')
  return new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Sha256,
    // S3 signs a path as it is sent
    uriEscapePath: false,
    applyChecksum: false,
  })
}

/** What the signer asks a hash to be. */
class Sha256 {
  #hash: ReturnType<typeof createHash | typeof createHmac>

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data))
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }

  reset(): void {
    this.#hash = createHash('sha256')
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data, 'utf8')
  return data instanceof ArrayBuffer
    ? Buffer.from(data)
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}
