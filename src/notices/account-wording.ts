import type { NoticeFact } from '../contract/notices/shapes.ts'
import type { FactorChange } from '../contract/people/sign-in.ts'
import { shownTime } from '../contract/shown-time.ts'
import type { Wording } from './messages/event-wording.ts'

const accountKinds = [
  'sign_in.new_address',
  'password.changed',
  'second_factor.changed',
  'second_factor.guessed',
] as const
export type AccountFact = Extract<NoticeFact, { type: (typeof accountKinds)[number] }>

/** What a person is told of their own account, whatever workspaces they belong to. */
export function isAboutAccount(fact: NoticeFact): fact is AccountFact {
  return (accountKinds as readonly string[]).includes(fact.type)
}

const changes: Record<FactorChange, string> = {
  app_added: 'An authenticator app was added to your account',
  app_removed: 'The authenticator app was removed from your account',
  passkey_added: 'A passkey was added to your account',
  passkey_removed: 'A passkey was removed from your account',
  recovery_codes_made: 'New recovery codes were made for your account',
  recovery_code_used: 'Your account was signed in to with a recovery code',
  all_removed: 'The operator of the service removed the second factor of your account',
  company_linked: 'You can now also sign in to your account with your company',
}

function headlineOf(fact: AccountFact): string {
  switch (fact.type) {
    case 'sign_in.new_address':
      return 'Your account was signed in to from a new address'
    case 'password.changed':
      return 'Your password was changed'
    case 'second_factor.changed':
      return changes[fact.data.change]
    case 'second_factor.guessed':
      return 'Somebody who knows your password is guessing the code of your second factor'
  }
}

const advice = 'Change your password and sign out everywhere.'

export function accountWording(fact: AccountFact): Wording {
  const { address, at } = fact.data
  return {
    headline: headlineOf(fact),
    facts: [
      ...(address === undefined ? [] : ([['From', address]] as const)),
      ['At', shownTime(at)],
      ['If this was not you', advice],
    ],
    linkText: 'Open your account',
  }
}
