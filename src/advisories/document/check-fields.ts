import { documentUrl } from '../../platform/html/document-url.ts'

/** Says that a field of the draft keeps it from being published. */
export type Report = (field: string, message: string) => void

export const addressExpected = 'An address that begins with https:// or http:// is required.'

export function isBlank(text: string): boolean {
  return text.trim() === ''
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
