import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { receipt, refusal, StubService, uploadToken } from './stub-service.ts'
import { exitCodeOf } from '../support/once-over.ts'
import { portOf } from '../support/port-of.ts'
import { checkoutDir } from '../support/test-server.ts'

let stub: StubService

beforeAll(async () => {
  stub = await StubService.open()
})
afterAll(() => stub.close())
beforeEach(() => stub.reset())

describe('an upload', () => {
  it('is compressed and carries token and details in headers', async () => {
    stub.replies = [{ status: 202, body: receipt() }]
    const ended = await stub.client(['upload', stub.file, '--product-version', '1.0.0', '--branch', 'main'])
    expect(ended).toMatchObject({ exitCode: 0, err: '', sleptMs: [] })
    expect(ended.out).toBe(
      'Stored: 3 components of version 1.0.0\nhttps://monitor.example/app/acme/sboms/0f0f\n',
    )
    expect(stub.received).toHaveLength(1)
    expect(stub.received[0]).toMatchObject({ method: 'POST', url: '/api/v1/sboms' })
    expect(stub.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${uploadToken}`,
      'content-encoding': 'gzip',
      'x-service-version': '1.0.0',
      'x-service-branch': 'main',
    })
    expect(stub.received[0]?.headers).not.toHaveProperty('x-service-source')
    expect(gunzipSync(stub.received[0]?.body ?? '').toString()).toBe('{"bomFormat":"CycloneDX"}')
  })

  it('of a compressed file sends it as it is', async () => {
    stub.replies = [{ status: 202, body: receipt() }]
    const packed = join(stub.folder, 'bom.json.gz')
    writeFileSync(packed, gzipSync('{}'))
    expect(await stub.client(['upload', packed])).toMatchObject({ exitCode: 0 })
    expect(stub.received[0]?.body).toEqual(gzipSync('{}'))
  })

  it('says when the stored version is another than the given one', async () => {
    stub.replies = [{ status: 200, body: receipt({ status: 'matched', duplicate: true }) }]
    const { exitCode, out } = await stub.client(['upload', stub.file, '--product-version', '2.0'])
    expect(exitCode).toBe(0)
    expect(out).toMatch(/Already stored: 3 components of version 1\.0\.0 \(matched\)/)
    expect(out).toMatch(/--product-version changes nothing/)
  })

  it('with --json prints one object, and words elsewhere', async () => {
    stub.replies = [{ status: 202, body: receipt() }]
    const { out, err } = await stub.client(['upload', stub.file, '--json'])
    const object = {
      command: 'upload',
      sbom: receipt(),
      matches: null,
      data: null,
      worst: null,
      policy: null,
      exitCode: 0,
    }
    expect(JSON.parse(out)).toEqual(object)
    expect(err).toMatch(/^Stored/)
  })
})

describe('a file that is not sent', () => {
  const write = (name: string, bytes: string | Buffer) => {
    const path = join(stub.folder, name)
    writeFileSync(path, bytes)
    return path
  }

  it.each<[string, () => string, RegExp]>([
    ['that is not there', () => join(stub.folder, 'none.json'), /cannot be read: there is no .*none\.json$/m],
    ['that is a folder', () => stub.folder, /cannot be read: .* is a folder$/m],
    ['without bytes', () => write('empty.json', ''), /is empty/],
    ['with nothing compressed in it', () => write('empty.gz', gzipSync('')), /is empty/],
    [
      'that only starts like gzip',
      () => write('broken.gz', Buffer.from([0x1f, 0x8b, 1])),
      /cannot be decompressed/,
    ],
    [
      'of more than 50 MB',
      () => {
        const path = write('large.json', '{}')
        truncateSync(path, 50 * 1024 * 1024 + 1)
        return path
      },
      /at most 50 MB/,
    ],
    [
      'of more than 50 MB when decompressed',
      () => write('large.gz', gzipSync(Buffer.alloc(50 * 1024 * 1024 + 1))),
      /50 MB when decompressed/,
    ],
    [
      'of more than 4 MB when compressed',
      () => write('dense.json', randomBytes(4 * 1024 * 1024)),
      /compressed file has 4\.0 MB; the service accepts at most 4 MB/,
    ],
  ])('%s', async (_name, path, message) => {
    const ended = await stub.client(['upload', path()])
    expect(ended).toMatchObject({ exitCode: 2, out: '' })
    expect(ended.err).toMatch(message)
    expect(stub.received).toEqual([])
  })
})

describe('settings that do not allow sending', () => {
  it.each<[string[], Record<string, string>, RegExp]>([
    [['--fail-on', 'any'], {}, /SBOM_MONITOR_RESULTS_TOKEN/],
    [[], { SBOM_MONITOR_TOKEN: '' }, /set SBOM_MONITOR_TOKEN/],
    [[], { SBOM_MONITOR_URL: 'http://monitor.example' }, /https/],
  ])('%j %j', async (options, env, message) => {
    const ended = await stub.client(['upload', stub.file, ...options], { env })
    expect(ended).toMatchObject({ exitCode: 2, out: '' })
    expect(ended.err).toMatch(message)
    expect(stub.received).toEqual([])
  })
})

describe('an answer that is worth another attempt', () => {
  it('429 waits as long as Retry-After says', async () => {
    stub.replies = [
      {
        status: 429,
        body: refusal('rate_limited', 'The limit is used up.'),
        headers: { 'retry-after': '7' },
      },
      { status: 202, body: receipt() },
    ]
    const ended = await stub.client(['upload', stub.file])
    expect(ended).toMatchObject({ exitCode: 0, sleptMs: [7000] })
    expect(ended.out).toMatch(/429 rate_limited: The limit is used up\.; trying again in 7 s/)
    expect(stub.received.map(({ body }) => body)).toEqual([stub.received[0]?.body, stub.received[0]?.body])
  })

  it('429 does not wait beyond --timeout', async () => {
    const body = refusal('rate_limited', 'The limit is used up.')
    stub.replies = [{ status: 429, body, headers: { 'retry-after': '3000' } }]
    const ended = await stub.client(['upload', stub.file])
    expect(ended).toMatchObject({ exitCode: 3, sleptMs: [] })
    expect(ended.err).toMatch(/in 3000 s, after --timeout/)
  })

  it.each([500, 502, 503, 504, 408])('%i is tried six times with growing pauses', async (status) => {
    stub.replies = [{ status, body: '<html>', headers: { 'content-type': 'text/html' } }]
    const ended = await stub.client(['upload', stub.file])
    expect(ended).toMatchObject({ exitCode: 4, sleptMs: [1000, 2000, 4000, 8000, 16_000] })
    expect(ended.err).toMatch(new RegExp(`answered ${status}, not by SBOM Monitor`))
    expect(stub.received).toHaveLength(6)
  })

  it('a server that is not there', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const gone = `http://127.0.0.1:${portOf(closed)}`
    closed.close()
    await once(closed, 'close')
    const ended = await stub.client(['upload', stub.file, '--server', gone, '--timeout', '5'])
    expect(ended).toMatchObject({ exitCode: 4, sleptMs: [1000, 2000] })
    expect(ended.err).toMatch(/cannot be reached: ECONNREFUSED/)
  })
})

describe('an answer that is final', () => {
  it.each([
    [400, 'invalid_sbom', 3],
    [401, 'unauthorized', 3],
    [402, 'billing_lapsed', 3],
    [404, 'family_not_found', 3],
    [413, 'too_large', 3],
    [415, 'unsupported_format', 3],
    [422, 'too_many_components', 3],
  ])('%i %s', async (status, code, exitCode) => {
    stub.replies = [{ status, body: refusal(code, 'A message.', 'found CycloneDX 1.3') }]
    const ended = await stub.client(['upload', stub.file, '--json'])
    expect(ended).toMatchObject({ exitCode, sleptMs: [] })
    expect(ended.err).toBe(`sbom-monitor: ${status} ${code}: A message. found CycloneDX 1.3\n`)
    const error = { status, code, message: 'A message.', detail: 'found CycloneDX 1.3' }
    expect(JSON.parse(ended.out)).toEqual({ command: 'upload', error, exitCode })
  })

  it.each([
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /NODE_EXTRA_CA_CERTS names a file/],
    ['UNABLE_TO_GET_ISSUER_CERT', /NODE_EXTRA_CA_CERTS names a file/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /INVALID; it is for another host name$/m],
    ['CERT_HAS_EXPIRED', /EXPIRED; it has expired, or the clock of this machine is wrong$/m],
    ['CERT_NOT_YET_VALID', /VALID; it is not valid yet, or the clock of this machine is wrong$/m],
  ])('a certificate refused with %s: the remedy is that of its fault', async (code, words) => {
    const cause = Object.assign(new Error('certificate'), { code })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })))
    try {
      const ended = await stub.client(['upload', stub.file])
      expect(ended).toMatchObject({ exitCode: 4, sleptMs: [] })
      expect(ended.err).toMatch(words)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('says what is likely wrong where the service has no such address', async () => {
    stub.replies = [{ status: 404, body: refusal('not_found', 'There is nothing at this address.') }]
    const { exitCode, err } = await stub.client(['upload', stub.file])
    expect(exitCode).toBe(3)
    expect(err).toBe(
      'sbom-monitor: 404 not_found: There is nothing at this address. Is SBOM_MONITOR_URL (or --server) the address of the service?\n',
    )
  })

  it('a redirect is named and never followed', async () => {
    stub.replies = [{ status: 307, headers: { location: `${stub.address}/elsewhere` } }]
    const ended = await stub.client(['upload', stub.file])
    expect(ended.exitCode).toBe(3)
    expect(ended.err).toMatch(/at another address: http.*elsewhere/)
    expect(stub.received).toHaveLength(1)
  })

  it('says what a proxy may want that answers 407: fetch tells nothing of it', async () => {
    stub.replies = [{ status: 407, body: '' }]
    const ended = await stub.client(['upload', stub.file])
    expect(ended.exitCode).toBe(4)
    expect(ended.err).toMatch(/cannot be reached: does a proxy on the way ask for a sign-in \(407\)\?/)
  })

  it.each(['<html>sign in</html>', '[]', '{"id":1}', '{"id":"x","status":"new"}'])(
    '200 with %s is not the service',
    async (body) => {
      stub.replies = [{ status: 200, body }]
      const ended = await stub.client(['upload', stub.file])
      expect(ended.exitCode).toBe(4)
      expect(ended.err).toMatch(/does not come from SBOM Monitor/)
    },
  )

  it('is shown without what a terminal or a CI system would obey', async () => {
    stub.replies = [
      { status: 400, body: refusal('invalid_json', '\u001b[2J\n::stop-commands::x ##vso[x]', uploadToken) },
    ]
    const { err, out } = await stub.client(['upload', stub.file, '--json'])
    expect(out).not.toContain('##')
    expect(JSON.parse(out)).toMatchObject({ error: { message: '\u001b[2J\n::stop-commands::x ##vso[x]' } })
    expect(err.split('\n')).toEqual([
      'sbom-monitor: 400 invalid_json:  [2J',
      'sbom-monitor: ::stop-commands::x # #vso[x] svc_…',
      '',
    ])
  })
})

describe('a VEX document', () => {
  const vex = {
    id: '0e0e',
    format: 'openvex',
    statements: 2,
    findings: 0,
    unbound: 1,
    version: null,
    replaced: 1,
    url: 'https://monitor.example/app/acme/vex/0e0e',
    duplicate: false,
  }

  it('is sent with version and source only', async () => {
    stub.replies = [{ status: 202, body: vex }]
    const env = { GITHUB_ACTIONS: 'true', GITHUB_SHA: 'abc', GITHUB_REPOSITORY: 'acme/pump' }
    const ended = await stub.client(['vex', stub.file, '--json'], { env })
    expect(ended.exitCode).toBe(0)
    expect(JSON.parse(ended.out)).toEqual({ command: 'vex', vex, exitCode: 0 })
    expect(ended.err.split('\n').slice(0, 3)).toEqual([
      'Stored: openvex, 2 statements and 0 reported findings for every version',
      '1 statement without a component that can be recognised',
      'Replaces 1 earlier document',
    ])
    expect(stub.received[0]).toMatchObject({ method: 'POST', url: '/api/v1/vex' })
    const service = Object.entries(stub.received[0]?.headers ?? {}).filter(([name]) =>
      name.startsWith('x-service-'),
    )
    expect(service).toEqual([['x-service-source', 'hosted_ci']])
  })

  it('is refused with the words of the service', async () => {
    stub.replies = [{ status: 422, body: refusal('no_statements', 'The document has no statements.') }]
    expect(await stub.client(['vex', stub.file])).toMatchObject({
      exitCode: 3,
      err: 'sbom-monitor: 422 no_statements: The document has no statements.\n',
    })
  })
})

describe('without sending', () => {
  it('--version prints the version of the tool', async () => {
    expect(await stub.client(['--version'])).toMatchObject({ exitCode: 0, out: '0.1.0\n' })
  })

  it('--help names every exit code', async () => {
    const { out } = await stub.client(['--help'])
    for (const code of [0, 1, 2, 3, 4, 5]) expect(out).toMatch(new RegExp(`^  ${code}  `, 'm'))
  })

  it('usage errors do not repeat a token', async () => {
    expect(await stub.client(['upload', stub.file, '--token', uploadToken])).toMatchObject({ exitCode: 2 })
    expect(await stub.client(['upload', uploadToken])).toMatchObject({ exitCode: 2 })
  })
})

describe('standard input', () => {
  const env = () => ({ SBOM_MONITOR_URL: stub.address, SBOM_MONITOR_TOKEN: uploadToken })
  const sendInput = (write: (input: Writable) => void) => {
    const child = spawn(process.execPath, ['client/src/main.ts', 'upload', '-'], {
      cwd: checkoutDir,
      env: env(),
    })
    // whoever stops reading is no fault of the writer
    child.stdin.on('error', () => undefined)
    write(child.stdin)
    return Promise.all([exitCodeOf(child), text(child.stdout), text(child.stderr)])
  }

  it('is a file that is sent', async () => {
    stub.replies = [{ status: 202, body: receipt() }]
    const [exitCode, out, err] = await sendInput((input) => input.end('{"bomFormat":"CycloneDX"}'))
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toMatch(/^Stored: 3 components/)
    expect(gunzipSync(stub.received[0]?.body ?? '').toString()).toBe('{"bomFormat":"CycloneDX"}')
  })

  it.each<[string, (input: Writable) => void, RegExp]>([
    ['without bytes', (input) => input.end(), /standard input is empty/],
    ['of more than 50 MB', (input) => input.end(Buffer.alloc(50 * 1024 * 1024 + 1)), /larger than 50 MB/],
  ])('%s is not sent', async (_what, write, message) => {
    const [exitCode, , err] = await sendInput(write)
    expect(exitCode).toBe(2)
    expect(err).toMatch(message)
    expect(stub.received).toEqual([])
  })
})
