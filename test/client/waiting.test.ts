import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receipt, refusal, resultsToken, StubService } from './stub-service.ts'

let stub: StubService

beforeAll(async () => {
  stub = await StubService.open()
})
afterAll(() => stub.close())
beforeEach(() => stub.reset())

const coverage = {
  covered: 2,
  notCovered: 0,
  noVersion: 1,
  uncomparable: 0,
  releaseUnknown: 0,
  dataNotLoaded: 0,
  noSource: 0,
  sourceUnknown: 0,
}
const result = (fields: Record<string, unknown> = {}) => ({
  ...receipt({ status: 'matched', ...fields }),
  matches: {
    total: 3,
    bySeverity: { critical: 0, high: 2, medium: 1, low: 0, none: 0, unknown: 0 },
    byGrade: { exact: 2, possible: 1 },
    exploited: 0,
    notAffected: 4,
    coverage,
  },
})
const withResults = { SBOM_MONITOR_RESULTS_TOKEN: resultsToken }

describe('waiting with a results token', () => {
  it('asks until matched, and shows what was found and what was not checked', async () => {
    stub.replies = [
      { status: 202, body: receipt() },
      { status: 200, body: { ...result(), status: 'parsed' } },
      { status: 200, body: result() },
    ]
    const ended = await stub.client(['upload', stub.file, '--wait'], { env: withResults })
    expect(ended).toMatchObject({ exitCode: 0, sleptMs: [10_000] })
    expect(stub.received.slice(1).map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/api/v1/sboms/0f0f?wait=30'],
      ['GET', '/api/v1/sboms/0f0f?wait=30'],
    ])
    expect(stub.received[1]?.headers.authorization).toBe(`Bearer ${resultsToken}`)
    expect(ended.out.split('\n').slice(2)).toEqual([
      'Waiting for matching, 0 s',
      'Waiting for matching, 10 s',
      'Findings       3 (exact 2, possible 1)',
      '  severity     critical 0, high 2, medium 1, low 0, none 0, unknown 0',
      '  exploited    0',
      'Not affected   4',
      'Checked        2 of 3 components',
      '  not checked  1: they have no version',
      '',
    ])
  })

  it.each<[string, number, RegExp]>([
    ['exploited', 0, /Policy +exploited: nothing found in the 2 of 3 components that were checked/],
    ['critical', 0, /Policy +critical: nothing found/],
    ['high', 1, /Policy +high or worse: 2 findings/],
    ['exploited,any', 1, /Policy +any: 3 findings/],
  ])('--fail-on %s ends with %i', async (policy, exitCode, words) => {
    stub.replies = [
      { status: 202, body: receipt() },
      { status: 200, body: result() },
    ]
    const ended = await stub.client(['upload', stub.file, '--fail-on', policy], { env: withResults })
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.out).toMatch(words)
  })

  it('puts counts and policy into the object of --json', async () => {
    stub.replies = [
      { status: 200, body: receipt({ duplicate: true, status: 'matched' }) },
      { status: 200, body: result() },
    ]
    const { out } = await stub.client(['upload', stub.file, '--fail-on', 'high', '--json'], {
      env: withResults,
    })
    expect(JSON.parse(out)).toEqual({
      command: 'upload',
      sbom: receipt({ duplicate: true, status: 'matched' }),
      matches: { ...result().matches, malware: 0 },
      data: null,
      worst: null,
      policy: { failOn: ['high'], hits: [{ term: 'high', count: 2 }], unchecked: false, tooOld: null },
      exitCode: 1,
    })
  })

  it('matching that failed ends with 5', async () => {
    stub.replies = [
      { status: 202, body: receipt() },
      { status: 200, body: result({ status: 'failed' }) },
    ]
    const ended = await stub.client(['upload', stub.file, '--fail-on', 'any', '--json'], { env: withResults })
    expect(ended.exitCode).toBe(5)
    expect(ended.err).toMatch(/could not match this SBOM.*sboms\/0f0f/)
    expect(JSON.parse(ended.out)).toMatchObject({ sbom: { id: '0f0f' }, error: { code: null }, exitCode: 5 })
  })

  describe('where no component could be checked', () => {
    const unchecked = (fields: Record<string, unknown> = {}) => {
      const { matches, ...sbom } = result({ components: 3 })
      const nothing = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 }
      return {
        ...sbom,
        matches: {
          ...matches,
          total: 0,
          bySeverity: nothing,
          coverage: { ...coverage, covered: 0, noVersion: 3 },
          ...fields,
        },
      }
    }
    const ended = async (args: string[], body: unknown = unchecked()) => {
      stub.replies = [
        { status: 202, body: receipt() },
        { status: 200, body },
      ]
      return stub.client(['upload', stub.file, ...args], { env: withResults })
    }

    it('--fail-on ends with 6 and says so, never that nothing was found', async () => {
      const { exitCode, out } = await ended(['--fail-on', 'any'])
      expect(exitCode).toBe(6)
      expect(out).toMatch(/Policy +any: not judged, no component could be checked; --allow-unchecked/)
      expect(out).not.toContain('nothing found')
      expect(out).toMatch(/^Findings {7}not known: no component could be checked$/m)
      expect(out).not.toMatch(/^Findings +0/m)
    })

    it('--allow-unchecked accepts it, in words', async () => {
      const { exitCode, out } = await ended(['--fail-on', 'any', '--allow-unchecked'])
      expect(exitCode).toBe(0)
      expect(out).toMatch(/not judged, no component could be checked, accepted by --allow-unchecked/)
    })

    it('the policy still stops on what was found', async () => {
      const { matches } = result()
      const { exitCode } = await ended(
        ['--fail-on', 'high', '--allow-unchecked'],
        unchecked({ total: 3, bySeverity: matches.bySeverity }),
      )
      expect(exitCode).toBe(1)
    })

    it('waiting alone is not a gate', async () => {
      const { exitCode, out } = await ended(['--wait'])
      expect(exitCode).toBe(0)
      expect(out).toContain('Checked        0 of 3 components')
    })

    it('--json says it', async () => {
      const { out } = await ended(['--fail-on', 'any', '--json'])
      expect(JSON.parse(out)).toMatchObject({ policy: { hits: [], unchecked: true }, exitCode: 6 })
    })
  })

  it('a replaced SBOM that comes without counts ends with 5, whatever is allowed', async () => {
    stub.replies = [
      { status: 200, body: receipt({ duplicate: true, status: 'matched' }) },
      { status: 200, body: { ...receipt({ status: 'matched' }), replaced: true } },
    ]
    const args = ['upload', stub.file, '--fail-on', 'exploited', '--allow-unchecked']
    const ended = await stub.client(args, { env: withResults })
    expect(ended.exitCode).toBe(5)
    expect(ended.err).toMatch(/has no counts for this SBOM, because another one took its place/)
  })

  it('that lasts longer than --timeout ends with 4, and never asks beyond it', async () => {
    stub.replies = [
      { status: 202, body: receipt() },
      { status: 200, body: { ...result(), status: 'parsed' } },
    ]
    const ended = await stub.client(['upload', stub.file, '--wait', '--timeout', '35'], { env: withResults })
    expect(ended.exitCode).toBe(4)
    expect(ended.err).toMatch(/had not ended after 35 s; the SBOM is stored/)
    expect(stub.received.slice(1).map(({ url }) => url.split('=')[1])).toEqual(['30', '24', '14', '4'])
  })

  it.each([
    ['unauthorized', 401, /must be a results token/],
    ['not_found', 404, /another product family/],
  ])('%s names the token that is wrong', async (code, status, message) => {
    stub.replies = [
      { status: 202, body: receipt() },
      { status, body: refusal(code, 'No.') },
    ]
    const ended = await stub.client(['upload', stub.file, '--wait'], { env: withResults })
    expect(ended.exitCode).toBe(3)
    expect(ended.err).toMatch(message)
  })

  it('rewrites one line on a terminal', async () => {
    stub.replies = [
      { status: 202, body: receipt() },
      { status: 200, body: result() },
    ]
    const { out } = await stub.client(['upload', stub.file, '--fail-on', 'high'], {
      env: withResults,
      isTTY: true,
    })
    expect(out).toContain('\r\u001b[KWaiting for matching, 0 s\r\u001b[KFindings ')
    expect(out).toContain('\u001b[31mPolicy ')
  })
})

describe('waiting without a results token', () => {
  it('sends the same file again until the answer says matched', async () => {
    stub.replies = [
      { status: 202, body: receipt() },
      { status: 200, body: receipt({ duplicate: true }) },
      { status: 200, body: receipt({ duplicate: true, status: 'matched' }) },
    ]
    const ended = await stub.client(['upload', stub.file, '--wait'])
    expect(ended).toMatchObject({ exitCode: 0, sleptMs: [20_000, 20_000] })
    expect(ended.out).toMatch(/set SBOM_MONITOR_RESULTS_TOKEN to wait for the result/)
    expect(ended.out).toMatch(/What was found is not known here/)
    expect(new Set(stub.received.map(({ method, url }) => `${method} ${url}`))).toEqual(
      new Set(['POST /api/v1/sboms']),
    )
  })

  it('gives up after ten, to spare the hourly limit', async () => {
    stub.replies = [{ status: 202, body: receipt() }]
    const ended = await stub.client(['upload', stub.file, '--wait', '--timeout', '3600'])
    expect(ended.exitCode).toBe(4)
    expect(stub.received).toHaveLength(11)
  })

  it('ends with 5 when matching failed', async () => {
    stub.replies = [{ status: 200, body: receipt({ duplicate: true, status: 'failed' }) }]
    expect(await stub.client(['upload', stub.file, '--wait'])).toMatchObject({ exitCode: 5, sleptMs: [] })
  })
})
