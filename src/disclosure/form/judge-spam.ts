import { createHmac } from 'node:crypto'
import type { ReportText, SpamReason } from '../../contract/disclosure/shapes.ts'
import { derivedKey } from '../../platform/sealing/derive-key.ts'
import type { KeyRing } from '../../platform/sealing/key-ring.ts'
import { dayMs } from '../../contract/durations.ts'
import { quickestMs } from './stamp.ts'

/**
 * More reports from one address, one site of IPv6 or in one workspace within an hour count as spam; still more are refused. One site alone cannot
 * have the reports of others to a workspace count as spam.
 */
export const reportsAnHour = {
  address: { spam: 5, refused: 20 },
  site: { spam: 10, refused: 25 },
  workspace: { spam: 30, refused: 200 },
} as const

/** A text sent again within this time. */
export const repeatedWithinMs = 7 * dayMs

const maxLinks = 20

export type ReportHits = Record<keyof typeof reportsAnHour, number>

export type Suspicious = {
  text: ReportText
  /** What was typed where nobody sees a field. */
  hiddenField: string
  ageMs: number
  /** Within the hour, this one included. */
  hits: ReportHits
}

/**
 * Why a report is taken for spam. Vulnerability reports contain markup and links, so only what no report needs counts: the link
 * markup of forum software, and a great many links.
 */
export function spamReasonsOf({ text, hiddenField, ageMs, hits }: Suspicious): SpamReason[] {
  const written = [text.title, text.description, text.impact, text.toldOthers].join('\n')
  const rules: [SpamReason, boolean][] = [
    ['hidden_field', hiddenField !== ''],
    ['too_fast', ageMs < quickestMs],
    ['many_from_address', hits.address > reportsAnHour.address.spam || hits.site > reportsAnHour.site.spam],
    ['many_in_workspace', hits.workspace > reportsAnHour.workspace.spam],
    ['many_links', (written.match(/https?:\/\//gi) ?? []).length > maxLinks],
    ['foreign_markup', /\[(?:url|link)\s*=/i.test(written)],
  ]
  return rules.flatMap(([reason, applies]) => (applies ? [reason] : []))
}

/** Finds the same text again, whatever its spaces and capitals. Keyed: the hash alone tells nobody whether a text was sent. */
export function textHashOf(ring: KeyRing, { title, description }: ReportText): Buffer {
  const plain = [title, description].map((part) => part.toLowerCase().replaceAll(/\s+/g, ' ').trim())
  return createHmac('sha256', derivedKey(ring, 'report text').key).update(JSON.stringify(plain)).digest()
}
