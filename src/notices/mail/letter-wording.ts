import type { LetterFact } from '../../contract/notices/letters.ts'
import { shownTime } from '../../contract/shown-time.ts'
import type { Wording } from '../messages/event-wording.ts'

/** The page of the application that a letter opens, below /app, and whether it does so with a link of its own. */
const pages: Record<LetterFact['type'], { path: string; bringsLink: boolean }> = {
  'letter.sign_up': { path: 'sign-up/confirm', bringsLink: true },
  'letter.invitation': { path: 'sign-in/invitation', bringsLink: true },
  'letter.password_reset': { path: 'sign-in/reset', bringsLink: true },
  'letter.email_change': { path: 'sign-in/email', bringsLink: true },
  'letter.email_changed': { path: 'sign-in', bringsLink: false },
}

export function letterPath({ type }: LetterFact): string {
  return pages[type].path
}

/** Without a link of its own, a letter has the plain address. */
export function bringsLink({ type }: LetterFact): boolean {
  return pages[type].bringsLink
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
