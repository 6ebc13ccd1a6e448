import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { receipt, resultsToken, StubService } from './stub-service.ts'

export const page = 'https://monitor.example/app/acme'

/** A finding as the service tells it. */
export const finding = (id: string, fields: Record<string, unknown> = {}) => ({
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

export const worst = [
  finding('MAL-2026-1', { severity: 'unknown', malware: true, fixedIn: null }),
  finding('CVE-2026-1', { severity: 'low', exploited: true }),
  finding('CVE-2026-2', { component: { name: '<b>|`x`', version: null, purl: null }, fixedIn: null }),
  finding('CVE-2026-3', { severity: 'medium' }),
]

/** What a service answers about an upload, and `worst` of it. */
export const result = (fields: Record<string, unknown> = {}, matches: Record<string, unknown> = {}) => ({
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

/** Uploads of a file whose result is known at once, and the reports that are written of it. */
export class ReportScene {
  readonly stub: StubService

  static async open(): Promise<ReportScene> {
    return new ReportScene(await StubService.open())
  }

  private constructor(stub: StubService) {
    this.stub = stub
  }

  reset(): void {
    this.stub.reset()
    rmSync(this.path('job.md'), { force: true })
  }

  close(): void {
    this.stub.close()
  }

  async upload(args: string[], body: unknown = result(), env: Record<string, string> = {}) {
    this.stub.replies = [
      { status: 202, body: receipt() },
      { status: 200, body },
    ]
    const ended = await this.stub.client(['upload', this.stub.file, ...args], {
      env: { SBOM_MONITOR_RESULTS_TOKEN: resultsToken, ...env },
    })
    return { ...ended, lines: ended.out.split('\n') }
  }

  path(name: string): string {
    return join(this.stub.folder, name)
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  /** The options for every report, each written to a file of its name. */
  all(): string[] {
    return ['summary', 'sarif', 'junit', 'annotations'].flatMap((name) => [`--${name}`, this.path(name)])
  }
}
