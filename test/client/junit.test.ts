import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finding, page, ReportScene, result } from './report-scene.ts'

let reports: ReportScene
beforeAll(async () => {
  reports = await ReportScene.open()
})
beforeEach(() => reports.reset())
afterAll(() => reports.close())

describe('files', () => {
  it('JUnit fails the policy and the findings that it stops on', async () => {
    await reports.upload(['--fail-on', 'high', ...reports.all()])
    const xml = reports.read('junit')
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
    await reports.upload(reports.all(), result({ worst: found }))
    expect(reports.read('junit').match(/<testcase classname="left[^>]*>/g)).toEqual([
      '<testcase classname="left 1.0.0 (pkg:npm/left@1.0.0)" name="CVE-2026-1">',
      '<testcase classname="left 1.0.0 (pkg:npm/left@1.0.0?vcs_url=https://a.example)" name="CVE-2026-1">',
      '<testcase classname="left 1.0.0" name="CVE-2026-2">',
    ])
  })

  it('JUnit fails where nothing could be checked, and no link says 0 findings', async () => {
    const none = { total: 0, malware: 0, exploited: 0, coverage: { covered: 0, noVersion: 3 } }
    const severities = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 }
    const body = result({ worst: [] }, { ...none, bySeverity: severities })
    const { exitCode } = await reports.upload(['--fail-on', 'any', ...reports.all()], body)
    expect(exitCode).toBe(6)
    expect(reports.read('junit')).toContain(
      '<failure message="no component could be checked">no component could be checked\nChecked 0 of ',
    )
    expect(reports.read('annotations')).toContain(
      '"label": "SBOM: findings not known, no component could be checked"',
    )
    expect(reports.read('summary')).toContain(
      '❌ The policy could judge nothing: no component could be checked.',
    )
  })
})
