import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finding, page, ReportScene, result, worst } from './report-scene.ts'

let reports: ReportScene
beforeAll(async () => {
  reports = await ReportScene.open()
})
beforeEach(() => reports.reset())
afterAll(() => reports.close())

describe('the log of a job', () => {
  it('names the worst findings, and tells entries and distinct components apart', async () => {
    const { lines } = await reports.upload(['--wait'])
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
    const { exitCode, out } = await reports.upload(['--fail-on', 'high,exploited'])
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
    const { out } = await reports.upload(['--fail-on', 'high'], result({ worst: twice }, matches))
    const named = many.slice(0, 10).map(({ id }) => id)
    // two of them are CVE-2026-1
    expect(out).toContain(`Policy         high or worse: 14 findings: ${named.join(', ')} and 3 more\n`)
  })

  it('is without a list where the service gives none, as one of an earlier version', async () => {
    const { malware: _malware, ...matches } = result().matches
    const { exitCode, out } = await reports.upload(
      ['--fail-on', 'critical'],
      result({ worst: undefined, matches }),
    )
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
    expect((await reports.upload(args, onlyMalware())).exitCode).toBe(exitCode)
  })
})

describe('files', () => {
  it('ask for more findings than the log shows', async () => {
    await reports.upload(['--junit', reports.path('junit')])
    expect(reports.stub.received.at(-1)?.url).toBe('/api/v1/sboms/0f0f?wait=30&worst=500')
    await reports.upload(['--annotations', reports.path('annotations')])
    expect(reports.stub.received.at(-1)?.url).toBe('/api/v1/sboms/0f0f?wait=30')
  })

  it('the summary is Markdown, in which names are nothing but names', async () => {
    await reports.upload(['--fail-on', 'high', ...reports.all()], result(), {
      GITHUB_STEP_SUMMARY: reports.path('job.md'),
    })
    const summary = reports.read('summary')
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
    expect(reports.read('job.md')).toBe(summary)
  })

  it('the summary of a GitHub job needs no option and is added to what is there', async () => {
    writeFileSync(reports.path('job.md'), 'before\n')
    await reports.upload(['--fail-on', 'critical', '--allow-malware'], result(), {
      GITHUB_STEP_SUMMARY: reports.path('job.md'),
    })
    expect(reports.read('job.md')).toMatch(
      /^before\n### \[SBOM[^]*✅ The policy `critical` found nothing in the 4 of 8 components that were checked\./,
    )
  })

  it('no file has a character that reverses or hides what follows: it is written out', async () => {
    const component = { name: 'left\u202E0.0.1 xif\u2028', version: '1.0\u200B\u0007', purl: null }
    await reports.upload(
      reports.all(),
      result({ worst: [finding('CVE-2026-9', { component, fixedIn: '2\u202E1' })] }),
    )
    for (const report of ['summary', 'junit', 'annotations', 'sarif']) {
      expect(reports.read(report), report).not.toMatch(
        /[\p{Cf}\u2028[\p{Cc}--\n]]|\\u(?:202e|2028|200b|0007)/iv,
      )
      expect(reports.read(report), report).toMatch(/left(?:\[|&#91;)U(?:\+|&#43;)202E/)
    }
  })

  it('what is invisible in a package URL is written out, too', async () => {
    const purls = ['pkg:npm/l\u202Eeft@1.0.0', 'pkg:npm/l\u202Eeft@1.0.0?os=a']
    const worst = purls.map((purl) =>
      finding('CVE-2026-1', { component: { name: 'left', version: '1.0.0', purl } }),
    )
    await reports.upload(reports.all(), result({ worst }))
    expect(reports.read('junit')).toContain('classname="left 1.0.0 (pkg:npm/l[U+202E]eft@1.0.0?os=a)"')
    expect(reports.read('sarif')).toContain('CVE-2026-1 pkg:npm/l[U+202E]eft@1.0.0?os=a')
  })

  it('annotations are the links that GitLab shows', async () => {
    await reports.upload(reports.all())
    expect(JSON.parse(reports.read('annotations'))).toEqual({
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
    mkdirSync(reports.path('folder'), { recursive: true })
    const { exitCode, out } = await reports.upload([
      '--fail-on',
      'high',
      '--sarif',
      reports.path('folder'),
      '--junit',
      reports.path('junit'),
    ])
    expect(exitCode).toBe(1)
    expect(out).toMatch(/The sarif could not be written: EISDIR/)
    expect(existsSync(reports.path('junit'))).toBe(true)
  })

  it('are refused without a results token', async () => {
    const { exitCode, err } = await reports.stub.client([
      'upload',
      reports.stub.file,
      '--sarif',
      reports.path('sarif'),
    ])
    expect(exitCode).toBe(2)
    expect(err).toMatch(/a report needs SBOM_MONITOR_RESULTS_TOKEN/)
  })
})
