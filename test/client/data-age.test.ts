import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receipt, resultsToken, StubService } from './stub-service.ts'

/** A pipeline learns which components count as checked by data that are not up to date. */

let stub: StubService

beforeAll(async () => {
  stub = await StubService.open()
})
afterAll(() => stub.close())
beforeEach(() => stub.reset())

const source = (fields: Record<string, unknown> = {}) => ({
  name: 'osv:npm',
  label: 'OSV: npm',
  brings: 'records',
  state: 'current',
  components: 2,
  lastSuccessAt: '2026-06-01T11:30:00.000Z',
  failingSince: null,
  ...fields,
})
const failing = source({
  state: 'failing',
  lastSuccessAt: '2026-05-20T08:00:00.000Z',
  failingSince: '2026-05-20T09:00:00.000Z',
})
const old = source({
  label: 'NVD <b>',
  state: 'old',
  components: 1,
  lastSuccessAt: '2026-05-30T12:00:00.000Z',
})
const unlisted = source({
  label: 'CISA KEV',
  brings: 'exploited',
  state: 'never',
  components: null,
  lastSuccessAt: null,
})

/** Date of the answers, by the service's clock. */
const date = 'Mon, 01 Jun 2026 12:00:00 GMT'
const result = (data: unknown, matches: Record<string, unknown> = {}) => ({
  ...receipt({ status: 'matched' }),
  matches: {
    total: 0,
    bySeverity: { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 },
    byGrade: { exact: 0, possible: 0 },
    exploited: 0,
    malware: 0,
    notAffected: 0,
    coverage: { covered: 3, notCovered: 0 },
    ...matches,
  },
  data,
  worst: [],
})
const stale = () => result({ stale: 3, sources: [unlisted, old, failing] })
const current = () => result({ stale: 0, sources: [source()] })

async function upload(args: string[], body: unknown) {
  stub.replies = [
    { status: 202, body: receipt() },
    { status: 200, body, headers: { date } },
  ]
  const files = ['summary', 'sarif', 'junit', 'annotations'].flatMap((name) => [
    `--${name}`,
    join(stub.folder, name),
  ])
  return stub.client(['upload', stub.file, ...args, ...files], {
    env: { SBOM_MONITOR_RESULTS_TOKEN: resultsToken },
  })
}
const read = (name: string) => readFileSync(join(stub.folder, name), 'utf8')

const lines = [
  'CISA KEV: never loaded; what it lists is not marked as exploited',
  'NVD <b>: data of 2026-05-30 12:00 UTC; what it has published since is missing, for 1 component',
  'OSV: npm: failing since 2026-05-20 09:00 UTC, data of 2026-05-20 08:00 UTC; what it has published since is missing, for 2 components',
]

describe('data that are out of date', () => {
  it('are named in the log, and beside what the policy did not find', async () => {
    const { exitCode, out } = await upload(['--fail-on', 'critical'], stale())
    expect(exitCode).toBe(0)
    const said = out.split('\n')
    const at = said.indexOf('Out of date    the data of 3 of 3 checked components')
    expect(said.slice(at + 1, at + 4)).toEqual(lines.map((line) => `  ${line}`))
    expect(said).toContain('Policy         critical: nothing found, by data that are out of date')
  })

  it('are in every file', async () => {
    await upload(['--wait', '--fail-on', 'any'], stale())
    expect(read('summary')).toContain('⚠️ The policy `any` found nothing, by data that are out of date.')
    expect(read('summary')).toContain(
      '⚠️ **Out of date**: the data of 3 of 3 checked components.\n- CISA KEV: never',
    )
    expect(read('summary')).toContain('- NVD &#60;b&#62;: data of')
    expect(JSON.parse(read('sarif'))).toMatchObject({
      runs: [
        {
          invocations: [
            {
              executionSuccessful: true,
              toolExecutionNotifications: lines.map((text) => ({
                level: 'warning',
                message: { text: `${text}.` },
              })),
            },
          ],
          properties: { outOfDate: 3 },
        },
      ],
    })
    expect(read('junit')).toContain('tests="3" failures="0"')
    expect(read('junit')).toContain('name="data up to date"')
    expect(read('junit')).toContain(lines[0])
    expect(read('annotations')).toContain(
      'out of date: OSV: npm, failing since 2026-05-20 09:00 UTC, data of 2026-05-20 08:00 UTC',
    )
  })

  it('are whole in --json', async () => {
    const { out } = await upload(['--fail-on', 'any', '--json'], stale())
    expect(JSON.parse(out)).toMatchObject({
      data: {
        asOf: date,
        stale: 3,
        sources: [{ label: 'CISA KEV' }, { label: 'NVD <b>' }, { label: 'OSV: npm' }],
      },
      policy: { tooOld: null },
      exitCode: 0,
    })
  })

  it('of a list of exploited vulnerabilities alone are not counted for components', async () => {
    const { out } = await upload(['--wait'], result({ stale: 0, sources: [source(), unlisted] }))
    expect(out).toContain('Out of date    what is known to be exploited\n  CISA KEV: never loaded;')
  })

  it('are not mentioned where all are current, or where the service does not say', async () => {
    for (const body of [current(), result(undefined)]) {
      const { out } = await upload(['--fail-on', 'any'], body)
      expect(out).not.toMatch(/out of date/i)
      expect(out).toMatch(/Policy +any: nothing found$/m)
    }
  })
})

describe('--max-data-age', () => {
  it.each([
    [
      '12d',
      /^Policy +any: not judged, data older than 12d: CISA KEV \(never loaded\), OSV: npm \(data of 2026-05-20 08:00 UTC\)$/m,
    ],
    ['13d', /data older than 13d: CISA KEV \(never loaded\)$/m],
  ])('%s: the gate judges nothing and ends with 6', async (age, words) => {
    const { exitCode, out } = await upload(['--fail-on', 'any', '--max-data-age', age], stale())
    expect(exitCode).toBe(6)
    expect(out).toMatch(words)
    expect(out).not.toContain('nothing found')
    expect(read('junit')).toMatch(
      /failures="1"[^]*name="data up to date">\s*<failure message="data older than/,
    )
    expect(read('summary')).toContain('❌ The policy judged nothing: data older than')
  })

  it('lets data pass that are young enough, by the clock of the service', async () => {
    const { exitCode, out } = await upload(['--fail-on', 'any', '--max-data-age', '1h'], current())
    expect(exitCode).toBe(0)
    expect(out).toMatch(/Policy +any: nothing found$/m)
  })

  it('is about what was found, too: that comes first', async () => {
    const { matches } = stale()
    const found = {
      ...stale(),
      matches: { ...matches, total: 1, bySeverity: { ...matches.bySeverity, high: 1 } },
    }
    const { exitCode } = await upload(['--fail-on', 'high', '--max-data-age', '1d'], found)
    expect(exitCode).toBe(1)
  })

  it('ends with 6 where the service does not say how old its data are, and where a time cannot be read', async () => {
    const untold = await upload(['--fail-on', 'any', '--max-data-age', '1d'], result(undefined))
    expect(untold.exitCode).toBe(6)
    expect(untold.out).toContain('not judged, the service does not say how old its data are')
    const odd = result({ stale: 0, sources: [source({ lastSuccessAt: 'lately' })] })
    expect((await upload(['--fail-on', 'any', '--max-data-age', '1d'], odd)).exitCode).toBe(6)
  })

  it('says the reason in --json', async () => {
    const { out } = await upload(['--fail-on', 'any', '--max-data-age', '13d', '--json'], stale())
    expect(JSON.parse(out)).toMatchObject({
      policy: { tooOld: 'data older than 13d: CISA KEV (never loaded)' },
      exitCode: 6,
    })
  })
})
