import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { artifactUri } from '../../client/src/reports/sarif.ts'
import { receipt, resultsToken, StubService } from './stub-service.ts'

let stub: StubService

beforeAll(async () => {
  stub = await StubService.open()
})
afterAll(() => stub.close())
beforeEach(() => {
  stub.reset()
  rmSync(join(stub.folder, 'job.md'), { force: true })
})

const page = 'https://monitor.example/app/acme'

const finding = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  severity: 'high',
  grade: 'exact',
  malware: false,
  exploited: false,
  component: { name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' },
  fixedIn: '1.2.0',
  url: `${page}/findings/${id.toLowerCase()}`,
  ...fields,
})

const worst = [
  finding('MAL-2026-1', { severity: 'unknown', malware: true, fixedIn: null }),
  finding('CVE-2026-1', { severity: 'low', exploited: true }),
  finding('CVE-2026-2', { component: { name: '<b>|`x`', version: null, purl: null }, fixedIn: null }),
  finding('CVE-2026-3', { severity: 'medium' }),
]

const result = (fields: Record<string, unknown> = {}, matches: Record<string, unknown> = {}) => ({
  ...receipt({ status: 'matched', components: 9 }),
  matches: {
    total: 6,
    bySeverity: { critical: 0, high: 1, medium: 3, low: 1, none: 0, unknown: 1 },
    byGrade: { exact: 6, possible: 0 },
    exploited: 1,
    malware: 1,
    notAffected: 2,
    coverage: { covered: 4, notCovered: 0, noVersion: 1, dataNotLoaded: 0, noSource: 1, somethingNew: 2 },
    ...matches,
  },
  worst,
  ...fields,
})

async function upload(args: string[], body: unknown = result(), env: Record<string, string> = {}) {
  stub.replies = [
    { status: 202, body: receipt() },
    { status: 200, body },
  ]
  const ended = await stub.client(['upload', stub.file, ...args], {
    env: { SBOM_MONITOR_RESULTS_TOKEN: resultsToken, ...env },
  })
  return { ...ended, lines: ended.out.split('\n') }
}

const path = (name: string) => join(stub.folder, name)
const read = (name: string) => readFileSync(path(name), 'utf8')

describe('the log of a job', () => {
  it('names the worst findings, and tells entries and distinct components apart', async () => {
    const { lines } = await upload(['--wait'])
    expect(lines.slice(lines.findIndex((line) => line.startsWith('Findings')))).toEqual([
      'Findings       6 (exact 6, possible 0)',
      '  malware      1',
      '  severity     critical 0, high 1, medium 3, low 1, none 0, unknown 1',
      '  exploited    1',
      'Not affected   2',
      'Checked        4 of 8 distinct components, in 9 entries of the SBOM',
      '  not checked  1: they have no version',
      '  not checked  1: the source of vulnerability data has none for their ecosystem, or for their release of it',
      '  not checked  2: somethingNew',
      'Worst',
      '  malware  MAL-2026-1  left 1.0.0  remove it',
      `    ${page}/findings/mal-2026-1`,
      '  low, exploited  CVE-2026-1  left 1.0.0  fixed in 1.2.0',
      `    ${page}/findings/cve-2026-1`,
      '  high  CVE-2026-2  <b>|`x`  no fix known',
      `    ${page}/findings/cve-2026-2`,
      '  medium  CVE-2026-3  left 1.0.0  fixed in 1.2.0',
      `    ${page}/findings/cve-2026-3`,
      '  and 2 more',
      '',
    ])
  })

  it('names what the gate hit, malware first', async () => {
    const { exitCode, out } = await upload(['--fail-on', 'high,exploited'])
    expect(exitCode).toBe(1)
    expect(out.split('\n').filter((line) => line.startsWith('Policy'))).toEqual([
      'Policy         malware: 1 finding: MAL-2026-1',
      'Policy         exploited: 1 finding: CVE-2026-1',
      'Policy         high or worse: 1 finding: CVE-2026-2',
    ])
  })

  it('names ten of what the gate hit, and counts the rest', async () => {
    const many = Array.from({ length: 11 }, (_none, place) => finding(`CVE-2026-${place + 1}`))
    const bySeverity = { critical: 0, high: 14, medium: 0, low: 0, none: 0, unknown: 0 }
    const matches = { total: 14, bySeverity, exploited: 0, malware: 0 }
    const twice = [...many.slice(0, 1), ...many]
    const { out } = await upload(['--fail-on', 'high'], result({ worst: twice }, matches))
    const named = many.slice(0, 10).map(({ id }) => id)
    // two of them are CVE-2026-1
    expect(out).toContain(`Policy         high or worse: 14 findings: ${named.join(', ')} and 3 more\n`)
  })

  it('is without a list where the service gives none, as one of an earlier version', async () => {
    const { malware: _malware, ...matches } = result().matches
    const { exitCode, out } = await upload(['--fail-on', 'critical'], result({ worst: undefined, matches }))
    expect(exitCode).toBe(0)
    expect(out).not.toContain('Worst')
    expect(out).toMatch(/Policy +critical: nothing found/)
  })
})

describe('malware', () => {
  const onlyMalware = () =>
    result(
      { worst: worst.slice(0, 1) },
      {
        total: 1,
        exploited: 0,
        bySeverity: { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 1 },
      },
    )

  it.each<[string[], number]>([
    [['--fail-on', 'critical'], 1],
    [['--fail-on', 'malware'], 1],
    [['--fail-on', 'any'], 1],
    [['--fail-on', 'critical', '--allow-malware'], 0],
    [['--fail-on', 'any', '--allow-malware'], 0],
    [['--wait'], 0],
  ])('%j ends with %i', async (args, exitCode) => {
    expect((await upload(args, onlyMalware())).exitCode).toBe(exitCode)
  })
})

describe('files', () => {
  const all = () => ['summary', 'sarif', 'junit', 'annotations'].flatMap((name) => [`--${name}`, path(name)])

  it('ask for more findings than the log shows', async () => {
    await upload(['--junit', path('junit')])
    expect(stub.received.at(-1)?.url).toBe('/api/v1/sboms/0f0f?wait=30&worst=500')
    await upload(['--annotations', path('annotations')])
    expect(stub.received.at(-1)?.url).toBe('/api/v1/sboms/0f0f?wait=30')
  })

  it('the summary is Markdown, in which names are nothing but names', async () => {
    await upload(['--fail-on', 'high', ...all()], result(), { GITHUB_STEP_SUMMARY: path('job.md') })
    const summary = read('summary')
    expect(summary).toContain(`### [SBOM of version 1.0.0](${page}/sboms/0f0f)`)
    expect(summary).toContain('❌ The policy stops on malware (1 finding), high or worse (1 finding).')
    expect(summary).toContain(
      '**6 findings** in the 4 of 8 components that were checked: malware 1, exploited 1, high 1, medium 3, low 1, unknown 1.',
    )
    expect(summary).toContain(
      `| low, exploited | [CVE&#45;2026&#45;1](${page}/findings/cve-2026-1) | left 1.0.0 | fixed in 1.2.0 |`,
    )
    expect(summary).toContain('&#60;b&#62;&#124;&#96;x&#96;')
    expect(summary).toContain(
      'Checked 4 of 8 distinct components, in 9 entries of the SBOM.\n- 1 component not',
    )
    expect(read('job.md')).toBe(summary)
  })

  it('the summary of a GitHub job needs no option and is added to what is there', async () => {
    writeFileSync(path('job.md'), 'before\n')
    await upload(['--fail-on', 'critical', '--allow-malware'], result(), {
      GITHUB_STEP_SUMMARY: path('job.md'),
    })
    expect(read('job.md')).toMatch(
      /^before\n### \[SBOM[^]*✅ The policy `critical` found nothing in the 4 of 8 components that were checked\./,
    )
  })

  it('SARIF has a rule for each vulnerability and a result for each finding', async () => {
    await upload(['--fail-on', 'medium', ...all()])
    const log = JSON.parse(read('sarif')) as {
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
    await upload(all(), result({ worst: found }))
    expect(JSON.parse(read('sarif'))).toMatchObject({
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
    await upload(all())
    const log = JSON.parse(read('sarif')) as { runs: { tool: { driver: { rules: unknown[] } } }[] }
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
      await upload(all(), body)
      const log = JSON.parse(read('sarif')) as {
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

  it('JUnit fails the policy and the findings that it stops on', async () => {
    await upload(['--fail-on', 'high', ...all()])
    const xml = read('junit')
    expect(xml).toContain('<testsuites name="SBOM Monitor" tests="6" failures="3">')
    expect(xml).toContain('<testsuite name="SBOM 1.0.0" tests="6" failures="3" errors="0">')
    // GitLab shows the text of a failure, and neither its message nor the output
    expect(xml.match(/<failure [^]*?<\/failure>/g)).toEqual([
      `<failure message="malware: 1 finding; high or worse: 1 finding">malware: 1 finding; high or worse: 1 finding\n${page}/sboms/0f0f</failure>`,
      `<failure message="malware, remove it">malware, remove it\n${page}/findings/mal-2026-1</failure>`,
      `<failure message="high, no fix known">high, no fix known\n${page}/findings/cve-2026-2</failure>`,
    ])
    expect(xml).toContain('<testcase classname="&lt;b&gt;|`x`" name="CVE-2026-2">')
    expect(xml.match(/<testcase /g)).toHaveLength(6)
    expect(xml.match(/<\/testcase>/g)).toHaveLength(6)
  })

  // GitLab keeps one case of each class and name
  it('JUnit tells components of one name and version apart', async () => {
    const variant = { name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0?vcs_url=https://a.example' }
    const found = [
      finding('CVE-2026-1'),
      finding('CVE-2026-1', { component: variant }),
      finding('CVE-2026-2', { component: variant }),
    ]
    await upload(all(), result({ worst: found }))
    expect(read('junit').match(/<testcase classname="left[^>]*>/g)).toEqual([
      '<testcase classname="left 1.0.0 (pkg:npm/left@1.0.0)" name="CVE-2026-1">',
      '<testcase classname="left 1.0.0 (pkg:npm/left@1.0.0?vcs_url=https://a.example)" name="CVE-2026-1">',
      '<testcase classname="left 1.0.0" name="CVE-2026-2">',
    ])
  })

  it('what is invisible in a package URL is written out, too', async () => {
    const purls = ['pkg:npm/l\u202Eeft@1.0.0', 'pkg:npm/l\u202Eeft@1.0.0?os=a']
    const worst = purls.map((purl) =>
      finding('CVE-2026-1', { component: { name: 'left', version: '1.0.0', purl } }),
    )
    await upload(all(), result({ worst }))
    expect(read('junit')).toContain('classname="left 1.0.0 (pkg:npm/l[U+202E]eft@1.0.0?os=a)"')
    expect(read('sarif')).toContain('CVE-2026-1 pkg:npm/l[U+202E]eft@1.0.0?os=a')
  })

  it('JUnit fails where nothing could be checked, and no link says 0 findings', async () => {
    const none = { total: 0, malware: 0, exploited: 0, coverage: { covered: 0, noVersion: 3 } }
    const severities = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 }
    const body = result({ worst: [] }, { ...none, bySeverity: severities })
    const { exitCode } = await upload(['--fail-on', 'any', ...all()], body)
    expect(exitCode).toBe(6)
    expect(read('junit')).toContain(
      '<failure message="no component could be checked">no component could be checked\nChecked 0 of ',
    )
    expect(read('annotations')).toContain(
      '"label": "SBOM: findings not known, no component could be checked"',
    )
    expect(read('summary')).toContain('❌ The policy could judge nothing: no component could be checked.')
  })

  it('no file has a character that reverses or hides what follows: it is written out', async () => {
    const component = { name: 'left\u202E0.0.1 xif\u2028', version: '1.0\u200B\u0007', purl: null }
    await upload(all(), result({ worst: [finding('CVE-2026-9', { component, fixedIn: '2\u202E1' })] }))
    for (const report of ['summary', 'junit', 'annotations', 'sarif']) {
      expect(read(report), report).not.toMatch(/[\p{Cf}\u2028[\p{Cc}--\n]]|\\u(?:202e|2028|200b|0007)/iv)
      expect(read(report), report).toMatch(/left(?:\[|&#91;)U(?:\+|&#43;)202E/)
    }
  })

  it('annotations are the links that GitLab shows', async () => {
    await upload(all())
    expect(JSON.parse(read('annotations'))).toEqual({
      'SBOM Monitor': [
        { external_link: { label: 'SBOM: 6 findings', url: `${page}/sboms/0f0f` } },
        {
          external_link: { label: 'malware: MAL-2026-1 left 1.0.0', url: `${page}/findings/mal-2026-1` },
        },
        {
          external_link: {
            label: 'low, exploited: CVE-2026-1 left 1.0.0',
            url: `${page}/findings/cve-2026-1`,
          },
        },
        { external_link: { label: 'high: CVE-2026-2 <b>|`x`', url: `${page}/findings/cve-2026-2` } },
        { external_link: { label: 'medium: CVE-2026-3 left 1.0.0', url: `${page}/findings/cve-2026-3` } },
      ],
    })
  })

  it('one that cannot be written is reported, and does not change how the job ends', async () => {
    mkdirSync(path('folder'), { recursive: true })
    const { exitCode, out } = await upload([
      '--fail-on',
      'high',
      '--sarif',
      path('folder'),
      '--junit',
      path('junit'),
    ])
    expect(exitCode).toBe(1)
    expect(out).toMatch(/The sarif could not be written: EISDIR/)
    expect(existsSync(path('junit'))).toBe(true)
  })

  it('are refused without a results token', async () => {
    const { exitCode, err } = await stub.client(['upload', stub.file, '--sarif', path('sarif')])
    expect(exitCode).toBe(2)
    expect(err).toMatch(/a report needs SBOM_MONITOR_RESULTS_TOKEN/)
  })
})
