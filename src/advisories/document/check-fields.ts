import { isDay } from '../../contract/calendar.ts'
import { looksEmpty } from '../../contract/hidden-characters.ts'
import { documentUrl } from '../../html/document-url.ts'

/** Reports that a field of the draft prevents its publication. */
export type Report = (field: string, message: string) => void

export const addressExpected = 'An address that begins with https:// or http:// is required.'

export function isBlank(text: string): boolean {
  return looksEmpty(text)
}

export function checkReferences(
  references: readonly { summary: string; url: string }[],
  field: string,
  report: Report,
): void {
  for (const [index, { summary, url }] of references.entries()) {
    if (isBlank(summary)) report(`${field}.${index}.summary`, 'A text for the link is required.')
    if (documentUrl(url.trim()) === undefined) report(`${field}.${index}.url`, addressExpected)
  }
}

export function checkAcknowledgments(
  acknowledgments: readonly { names: string[]; organization: string; summary: string; urls: string[] }[],
  list: string,
  report: Report,
): void {
  for (const [index, { names, organization, summary, urls }] of acknowledgments.entries()) {
    const field = `${list}.${index}`
    if ([...names, organization, summary].every(isBlank))
      report(field, 'A name or an organisation is required.')
    for (const [place, url] of urls.entries()) {
      if (!isBlank(url) && documentUrl(url.trim()) === undefined)
        report(`${field}.urls.${place}`, addressExpected)
    }
  }
}

/** A day may be left out; one that is given is one of the calendar. */
export function checkDay(day: string, field: string, report: Report): void {
  if (!isBlank(day) && !isDay(day.trim())) report(field, dayExpected)
}

export const dayExpected = 'A day such as 2026-01-31 is required.'
