import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { artifactUri } from '../../client/src/reports/sarif.ts'
import { finding, page, ReportScene, result, worst } from './report-scene.ts'

let reports: ReportScene
beforeAll(async () => {
  reports = await ReportScene.open()
})
beforeEach(() => reports.reset())
afterAll(() => reports.close())

describe('files', () => {
  it('SARIF has a rule for each vulnerability and a result for each finding', async () => {
    await reports.upload(['--fail-on', 'medium', ...reports.all()])
    const log = JSON.parse(reports.read('sarif')) as {
      version: string
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[]
    }
    expect(log.version).toBe('2.1.0')
    const [run] = log.runs
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(worst.map(({ id }) => id))
    expect(run?.tool.driver.rules[0]).toMatchObject({ properties: { 'security-severity': '10.0' } })
    expect(run?.results.map(({ level }) => level)).toEqual(['error', 'note', 'error', 'error'])
    expect(run?.results[1]).toMatchObject({
      ruleId: 'CVE-2026-1',
      ruleIndex: 1,
      message: { text: `left 1.0.0: fixed in 1.2.0. ${page}/findings/cve-2026-1` },
      locations: [{ physicalLocation: { region: { startLine: 1 } } }],
      partialFingerprints: { 'vulnerabilityAndComponent/v1': 'CVE-2026-1 pkg:npm/left@1.0.0' },
    })
    expect(run).toMatchObject({
      properties: {
        findings: 6,
        listed: 4,
        notListed: 2,
        checked: '4 of 8 distinct components, in 9 entries of the SBOM',
      },
    })
  })

  it('a rule of SARIF is as severe as the worst of its findings', async () => {
    const found = [
      finding('CVE-2026-1', { severity: 'critical' }),
      finding('CVE-2026-2'),
      finding('CVE-2026-1', { severity: 'low', url: `${page}/findings/other` }),
    ]
    await reports.upload(reports.all(), result({ worst: found }))
    expect(JSON.parse(reports.read('sarif'))).toMatchObject({
      runs: [
        {
          tool: {
            driver: {
              rules: [
                { id: 'CVE-2026-1', helpUri: found[0]?.url, properties: { 'security-severity': '9.5' } },
                { id: 'CVE-2026-2' },
              ],
            },
          },
          results: [{ ruleIndex: 0 }, { ruleIndex: 1 }, { ruleIndex: 0 }],
        },
      ],
    })
  })

  it('SARIF has what GitHub requires of a rule', async () => {
    await reports.upload(reports.all())
    const log = JSON.parse(reports.read('sarif')) as { runs: { tool: { driver: { rules: unknown[] } } }[] }
    const rules = log.runs[0]?.tool.driver.rules ?? []
    expect(rules).toHaveLength(worst.length)
    expect(rules[0]).toMatchObject({
      fullDescription: { text: 'Malware among the components: MAL-2026-1.' },
    })
    expect(rules[1]).toMatchObject({
      shortDescription: { text: 'CVE-2026-1' },
      fullDescription: { text: 'A vulnerability of a component: CVE-2026-1 (low, exploited).' },
      help: {
        text: `The finding, its evidence and what fixes it: ${page}/findings/cve-2026-1`,
        markdown: `[The finding, its evidence and what fixes it](${page}/findings/cve-2026-1)`,
      },
    })
  })

  // GitHub tells the alerts of a rule in one file apart by this fingerprint alone. Where it is missing, it is made of the file's first line,
  // which is the same for all components and, with a serial number in it, another at each build.
  it('SARIF tells the components of a vulnerability apart for GitHub, and keeps them from build to build', async () => {
    const other = { name: 'right', version: '1.0.0', purl: null }
    const found = [
      finding('CVE-2026-1'),
      finding('CVE-2026-1', { component: other, url: `${page}/findings/other` }),
    ]
    const fingerprints = async (body: unknown) => {
      await reports.upload(reports.all(), body)
      const log = JSON.parse(reports.read('sarif')) as {
        runs: { results: { partialFingerprints: Record<string, string> }[] }[]
      }
      return log.runs[0]?.results.map(
        ({ partialFingerprints }) => partialFingerprints['primaryLocationLineHash'],
      )
    }
    const first = await fingerprints(result({ worst: found }))
    expect(first).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}:1$/),
      expect.stringMatching(/^[0-9a-f]{32}:1$/),
    ])
    expect(new Set(first).size).toBe(2)
    const again = found.map((each) => ({ ...each, url: `${each.url}-again`, fixedIn: '1.3.0' })).toReversed()
    expect((await fingerprints(result({ worst: again })))?.toReversed()).toEqual(first)
  })

  it.each([
    ['out/a.json', 'out/a.json'],
    ['./out/../a #1?.json', 'a%20%231%3F.json'],
    ['/checkout/out/a.json', 'out/a.json'],
    ['../a b.json', '../a%20b.json'],
    ['/elsewhere/a.json', '/elsewhere/a.json'],
    ['/checkout-2/a.json', '/checkout-2/a.json'],
  ])('SARIF places what is found in %s at %s', (file, uri) => {
    expect(artifactUri(file, '/checkout')).toBe(uri)
  })
})
