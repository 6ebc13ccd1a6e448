import type { Role } from '../roles.ts'

/** What a link in a message may do, once. */
export const linkPurposes = ['sign_up', 'invitation', 'password_reset', 'email_change'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/** Mail to an address, whoever is behind it. Times are ISO 8601 UTC. */
type LetterData = {
  'letter.sign_up': { company: string; expiresAt: string }
  'letter.invitation': { company: string; by: string; role: Role; expiresAt: string }
  'letter.password_reset': { address: string; at: string; expiresAt: string }
  'letter.email_change': { expiresAt: string }
  /** To the old address. */
  'letter.email_changed': { at: string }
}
export type LetterKind = keyof LetterData

export type LetterFact = { [Kind in LetterKind]: { type: Kind; data: LetterData[Kind] } }[LetterKind]

export type LetterJob = {
  /** Of the letter, the same however often the job runs. A UUID. */
  eventId: string
  fact: LetterFact
  to: { email: string; name: string }
  /** The link that it brings. */
  linkId: string | null
}
