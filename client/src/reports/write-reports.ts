import { appendFileSync, writeFileSync } from 'node:fs'
import { variable, type Environment } from '../ports.ts'
import type { Terminal } from '../terminal.ts'
import { annotationsReport } from './annotations.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import type { Report } from './report.ts'
import { sarifReport } from './sarif.ts'

/** Paths of the files to write; null: none. */
export type ReportFiles = Record<'summary' | 'sarif' | 'junit' | 'annotations', string | null>

const writers = { sarif: sarifReport, junit: junitReport, annotations: annotationsReport }

/** Whether a report needs more findings than a job log shows. */
export function wantsAll({ sarif, junit }: ReportFiles): boolean {
  return sarif !== null || junit !== null
}

/** Writes the requested reports, and on GitHub the job summary. A failed write is reported and does not change the exit code. */
export function writeReports(report: Report, files: ReportFiles, env: Environment, terminal: Terminal): void {
  const attempt = (name: string, write: () => void) => {
    try {
      write()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      terminal.say(`The ${name} could not be written: ${error.message}`, 'yellow')
    }
  }
  const { summary, ...others } = files
  const jobSummary = variable(env, 'GITHUB_STEP_SUMMARY')
  if (summary !== null) attempt('summary', () => writeFileSync(summary, markdownReport(report)))
  if (jobSummary !== null)
    attempt('summary of the job', () => appendFileSync(jobSummary, markdownReport(report)))
  for (const name of ['sarif', 'junit', 'annotations'] as const) {
    const path = others[name]
    if (path !== null) attempt(name, () => writeFileSync(path, writers[name](report)))
  }
}
