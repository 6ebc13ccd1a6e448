import type { LetterFact } from '../../contract/notices/letters.ts'
import { shownTime } from '../../contract/shown-time.ts'
import type { Wording } from '../messages/wording.ts'

/** The page of the application that a letter opens, below /app. */
const paths: Record<LetterFact['type'], string> = {
  'letter.sign_up': 'sign-up/confirm',
  'letter.invitation': 'sign-in/invitation',
  'letter.password_reset': 'sign-in/reset',
  'letter.email_change': 'sign-in/email',
  'letter.email_changed': 'sign-in',
}

export function letterPath({ type }: LetterFact): string {
  return paths[type]
}

/** The link of the last one is the plain address of the service. */
export function bringsLink({ type }: LetterFact): boolean {
  return type !== 'letter.email_changed'
}

/**
 * A letter in words. Names in it may be a stranger's, who has chosen the recipient too: the headline, which is the subject, is the same for
 * everybody, and names are below it as plain text.
 */
export function letterWording(fact: LetterFact): Wording {
  switch (fact.type) {
    case 'letter.sign_up':
      return {
        headline: 'Confirm your e-mail address to create a workspace',
        facts: [
          ['Company', fact.data.company],
          ['What it does', 'The workspace is created, with you as its owner.'],
          ['Valid until', shownTime(fact.data.expiresAt)],
          ['If this was not you', 'Ignore this message. Nothing is created without the link.'],
        ],
        linkText: 'Confirm your e-mail address',
      }
    case 'letter.invitation':
      return {
        headline: 'You are invited to a workspace',
        facts: [
          ['Company', fact.data.company],
          ['Invited by', fact.data.by],
          ['Your role', fact.data.role],
          ['Valid until', shownTime(fact.data.expiresAt)],
          ['If you do not know them', 'Ignore this message. Nothing happens without the link.'],
        ],
        linkText: 'Open the invitation',
      }
    case 'letter.password_reset':
      return {
        headline: 'Choose a new password',
        facts: [
          ['Asked for', `${shownTime(fact.data.at)}, from ${fact.data.address}`],
          ['Valid until', shownTime(fact.data.expiresAt)],
          ['If this was not you', 'Ignore this message. Your password stays as it is.'],
        ],
        linkText: 'Choose a new password',
      }
    case 'letter.email_change':
      return {
        headline: 'Confirm your new e-mail address',
        facts: [
          ['What it does', 'You sign in with this address from then on, and mail goes here.'],
          ['Valid until', shownTime(fact.data.expiresAt)],
          ['If this was not you', 'Ignore this message. Nothing changes without the link.'],
        ],
        linkText: 'Confirm this address',
      }
    case 'letter.email_changed':
      return {
        headline: 'Your e-mail address was changed',
        facts: [
          ['At', shownTime(fact.data.at)],
          ['What it means', 'This address can no longer be used to sign in, and gets no more mail.'],
          ['If this was not you', 'Tell an owner of your workspace at once.'],
        ],
        linkText: 'Open the service',
      }
  }
}
