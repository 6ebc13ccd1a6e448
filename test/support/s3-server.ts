import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { readObjectStore } from '../../src/platform/config/object-store.ts'
import type { OriginalsSettings } from '../../src/originals/configured.ts'
import { parseKeys, newKeyText, type SealingKey } from '../../src/platform/sealing/key-ring.ts'

const accessKey = 'test-access-key'
const secretKey = 'test-secret-key'
const region = 'eu-test-1'

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE'
/** The outcome of a request: undefined: normal; a number: that status; `hang`: no answer; a promise: delayed until it resolves. */
type Fate = number | 'hang' | Promise<unknown> | undefined

/**
 * A bucket with the S3 API in the test process. Every request must be signed: the signature is computed here from what arrived. Tests can
 * control the outcome of requests.
 */
export class S3Server {
  readonly objects = new Map<string, { bytes: Buffer; at: Date }>()
  readonly bucket = 'originals'
  /** Called before a request is processed. */
  fate: (method: Method, key: string) => Fate = () => undefined
  /** Called after a request was processed, before it is answered. */
  onDone: (method: Method, key: string) => void = () => undefined
  refusedSignatures = 0
  keepsVersions = false
  /** False: lists say that they go on, and not where. */
  endsLists = true
  #server: Server
  #hanging = new Set<ServerResponse>()
  port = 0

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => response.destroy())
    })
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    const address = server.#server.address()
    server.port = typeof address === 'object' && address !== null ? address.port : 0
    return server
  }

  /** The service's settings for it; `prefix` is below the bucket. */
  get env(): Record<string, string> {
    return {
      OBJECT_STORE_URL: `http://127.0.0.1:${this.port}/${this.bucket}/pre/fix`,
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: secretKey,
      AWS_REGION: region,
    }
  }

  settings(
    encryptionKeys: SealingKey[] = parseKeys(newKeyText()),
    env: Record<string, string> = {},
  ): OriginalsSettings {
    const mistakes: string[] = []
    const { place, keys } = readObjectStore({ ...this.env, ...env }, { canSeal: true, mistakes })
    if (place === null || keys === null) throw new Error(mistakes.join('; '))
    return { place, keys, encryptionKeys, keyFile: null }
  }

  keys(): string[] {
    return [...this.objects.keys()].sort()
  }

  /** Keys of one workspace, below the prefix. */
  keysOf(workspaceId: string): string[] {
    return this.keys().filter((key) => key.startsWith(`pre/fix/${workspaceId}/`))
  }

  damage(key: string): void {
    const object = this.objects.get(key)
    if (object === undefined) throw new Error(`there is no object ${key}`)
    object.bytes[object.bytes.length - 1] = (object.bytes.at(-1) ?? 0) ^ 1
  }

  /** Nothing answers any more. */
  async stop(): Promise<void> {
    this.heal()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Works normally again; requests left hanging are released. */
  heal(): void {
    this.fate = () => undefined
    for (const response of this.#hanging) response.destroy()
    this.#hanging.clear()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const url = new URL(request.url ?? '/', 'http://store')
    const method = request.method as Method
    const key = decodeURIComponent(url.pathname).slice(`/${this.bucket}/`.length)
    const fate = this.fate(method, key)
    if (fate === 'hang') {
      this.#hanging.add(response)
      return
    }
    if (typeof fate === 'number') {
      refuse(response, fate, 'InternalError')
      return
    }
    if (fate !== undefined) await fate
    if (!isSigned(request, url, body)) {
      this.refusedSignatures += 1
      refuse(response, 403, 'SignatureDoesNotMatch')
    } else if (!url.pathname.startsWith(`/${this.bucket}/`)) {
      refuse(response, 404, 'NoSuchBucket')
    } else {
      this.#perform({ method, key, url, body }, response)
    }
  }

  #perform(
    { method, key, url, body }: { method: Method; key: string; url: URL; body: Buffer },
    response: ServerResponse,
  ): void {
    if (key === '') {
      this.#answerBucket(url, response)
      return
    }
    const object = this.objects.get(key)
    if (method === 'PUT') this.objects.set(key, { bytes: body, at: new Date() })
    if (method === 'DELETE') this.objects.delete(key)
    this.onDone(method, key)
    if ((method === 'GET' || method === 'HEAD') && object === undefined) {
      refuse(response, 404, 'NoSuchKey')
      return
    }
    response.writeHead(method === 'DELETE' ? 204 : 200, method === 'DELETE' ? {} : { etag: '"kept"' })
    response.end(method === 'GET' ? object?.bytes : undefined)
  }

  #answerBucket(url: URL, response: ServerResponse): void {
    if (url.searchParams.has('versioning')) {
      const status = this.keepsVersions ? '<Status>Enabled</Status>' : ''
      response.writeHead(200).end(`<VersioningConfiguration>${status}</VersioningConfiguration>`)
      return
    }
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const found = this.keys().filter((key) => key.startsWith(prefix) && key > after)
    const page = found.slice(0, 3)
    const entries = page.map((key) => {
      const object = this.objects.get(key)
      return `<Contents><Key>${key}</Key><LastModified>${object?.at.toISOString() ?? ''}</LastModified><Size>${object?.bytes.length ?? 0}</Size></Contents>`
    })
    const isTruncated = found.length > page.length || !this.endsLists
    const next =
      isTruncated && this.endsLists
        ? `<NextContinuationToken>${page.at(-1) ?? ''}</NextContinuationToken>`
        : ''
    response
      .writeHead(200)
      .end(
        `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
      )
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
}

const hex = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** AWS Signature Version 4 by its documentation, and the hash of the signed body. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (match === null) return false
  const [, id = '', day = '', place = '', names = '', signature = ''] = match
  const bodyHash = String(request.headers['x-amz-content-sha256'])
  if (id !== accessKey || place !== region || bodyHash !== hex(body)) return false
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return false
  const at = String(request.headers['x-amz-date'])
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')
  const headers = signed.map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join('')
  const canonical = [request.method, url.pathname, query, headers, names, bodyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day), region), 's3'), 'aws4_request')
  return hmac(key, ['AWS4-HMAC-SHA256', at, scope, hex(canonical)].join('\n')).toString('hex') === signature
}

/** As Signature Version 4 escapes names and values of a query: all but letters, digits, `-`, `.`, `_` and `~`. */
function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
