import type { ScheduledWork } from '../queue/schedule/scheduled-work.ts'
import { forgetHits } from './form/hits.ts'
import { forgetUsedForms } from './form/used-forms.ts'
import { remindOfReports } from './inbox/remind.ts'

export const disclosureSchedule: readonly ScheduledWork[] = [
  { name: 'remind of unanswered reports', run: ({ db }, now) => remindOfReports(db, now) },
  { name: 'forget used report forms', run: ({ db }, now) => forgetUsedForms(db, now) },
  { name: 'forget counts of reports', run: ({ db }, now) => forgetHits(db, now) },
]
