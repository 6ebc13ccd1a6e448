import { useEffect } from 'react'
import type { DraftValues } from '../../../../src/contract/incidents/report-drafts.ts'

/** Of the drafts that the page shows, by the id of their report. */
const shown = new Map<string, DraftValues>()

/** Has a filing that is recorded on this page keep what the draft says at that moment, saved or not. */
export function useShownText(report: string, values: DraftValues): void {
  useEffect(() => {
    shown.set(report, values)
    return () => {
      shown.delete(report)
    }
  }, [report, values])
}

/** What the page shows of these drafts; those that it does not show are kept as the service has them. */
export function shownTexts(reports: readonly string[]): Record<string, DraftValues> {
  return Object.fromEntries(
    reports.flatMap((report) => {
      const values = shown.get(report)
      return values === undefined ? [] : [[report, values] as const]
    }),
  )
}
