import type { ScheduledWork } from '../platform/scheduled-work.ts'
import { forgetMailRequests } from './links/mail-requests.ts'
import { forgetLinks } from './links/one-time-link.ts'
import { forgetChallenges } from './people/factors/passkey-challenges.ts'
import { forgetSecondSteps } from './people/factors/second-step.ts'
import { askAfterPeriods } from './billing/fetch-subscription.ts'
import { endWindows } from './people/sign-in-window.ts'
import { forgetCompanySignIns } from './sign-in/company-sign-in.ts'

export const workspaceSchedule: readonly ScheduledWork[] = [
  { name: 'forget links of messages', run: ({ db }, now) => forgetLinks(db, now) },
  { name: 'forget requests of messages', run: ({ db }, now) => forgetMailRequests(db, now) },
  { name: 'end windows of sign-ins', run: ({ db }, now) => endWindows(db, now) },
  { name: 'forget second steps', run: ({ db }, now) => forgetSecondSteps(db, now) },
  { name: 'forget sign-ins with companies', run: ({ db }, now) => forgetCompanySignIns(db, now) },
  { name: 'forget challenges of passkeys', run: ({ db }, now) => forgetChallenges(db, now) },
  { name: 'ask after subscriptions', run: ({ db }, now) => askAfterPeriods(db, now) },
]
