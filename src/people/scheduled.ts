import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { forgetCompanySignIns } from './company-sign-in/company-sign-in.ts'
import { forgetChallenges } from './factors/passkey-challenges.ts'
import { forgetSecondSteps } from './factors/second-step.ts'
import { forgetMailRequests } from './links/mail-requests.ts'
import { forgetLinks } from './links/one-time-link.ts'
import { endWindows } from './sign-in-window.ts'

export const peopleSchedule: readonly ScheduledWork[] = [
  { name: 'forget links of messages', run: ({ db }, now) => forgetLinks(db, now) },
  { name: 'forget requests of messages', run: ({ db }, now) => forgetMailRequests(db, now) },
  { name: 'end windows of sign-ins', run: ({ db }, now) => endWindows(db, now) },
  { name: 'forget second steps', run: ({ db }, now) => forgetSecondSteps(db, now) },
  { name: 'forget sign-ins with companies', run: ({ db }, now) => forgetCompanySignIns(db, now) },
  { name: 'forget challenges of passkeys', run: ({ db }, now) => forgetChallenges(db, now) },
]
