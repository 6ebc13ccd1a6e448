import type { LetterFact } from '../../contract/notices/letters.ts'
import type { MailFact } from '../../contract/notices/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { SealError } from '../../platform/sealing/envelope.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { openLinkSecret } from '../../people/links/one-time-link.ts'
import { composeLetter, type Composed } from './compose.ts'
import { bringsLink } from './letter-wording.ts'

/** What is sent, and what is stored of it: never a letter's link. Otherwise why it is not sent, or not yet. */
export type WrittenMail = { said: Composed; stored: Composed } | { refusal: string } | { later: string }

export type LetterDeps = {
  db: Db
  sealing: Pick<Sealing, 'open'>
  serviceName: string
  /** Without trailing slash. */
  baseUrl: string
}

export function isLetter(fact: MailFact | LetterFact): fact is LetterFact {
  return fact.type.startsWith('letter.')
}

/** The text of a letter, with its link while that is valid; the stored copy has no secret. */
export async function writeLetter(
  { db, sealing, serviceName, baseUrl }: LetterDeps,
  { fact, linkId }: { fact: LetterFact; linkId: string | null },
  now: Date,
): Promise<WrittenMail> {
  const stored = composeLetter({ fact, secret: null, serviceName, baseUrl })
  if (!bringsLink(fact)) return { said: stored, stored }
  try {
    const secret = linkId === null ? undefined : await openLinkSecret(db, sealing, { id: linkId, now })
    if (secret === undefined) return { refusal: 'the link in it is no longer valid' }
    return { said: composeLetter({ fact, secret, serviceName, baseUrl }), stored }
  } catch (error) {
    if (error instanceof SealError) return { later: 'the encryption key of the link in it is missing' }
    throw error
  }
}
