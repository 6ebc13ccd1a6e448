import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  noticeChoices,
  type ChosenKind,
  type NoticeChoice,
  type NoticeSettings,
} from '#contract/notices/shapes.ts'
import { changeNoticeSettings } from '#contract/notices/operations.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { Card } from '../kit/page/Card.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { eventNotices, type NoticeWords } from '../settings/notifications/words.ts'
import styles from './NoticeChoices.module.css'

const kindWords: Record<ChosenKind, NoticeWords> = {
  ...eventNotices,
  'deadline.overdue': { name: 'Overdue report', about: 'Again every day until it is submitted.' },
  'incident.untaken': {
    name: 'Incident without an assignee',
    about: 'Half an hour, an hour and two hours after it was opened.',
  },
  'incident.note': {
    name: 'Incident: something for you',
    about:
      'You are assigned or mentioned, what you recorded is decided, or another time of awareness needs approval.',
  },
  'report.message': { name: 'Message from a reporter', about: 'On the status page of a report.' },
  'report.unanswered': {
    name: 'Unanswered vulnerability report',
    about: 'Before the promised time, then every day until it is answered.',
  },
  'finding.malware': {
    name: 'Malware found',
    about: 'A component of a product is itself malicious.',
  },
  'finding.new': { name: 'New findings', about: 'Counted by severity.' },
  'finding.exploited': {
    name: 'Newly exploited findings',
    about: 'Listed by CISA KEV or ENISA EUVD since the last digest.',
  },
  'upload.failed': {
    name: 'Failed uploads',
    about: 'SBOMs that could not be matched, refused connector uploads.',
  },
  'coverage.lost': {
    name: 'Lost coverage',
    about: 'Components that could be checked and no longer can.',
  },
  'token.expiring': { name: 'Token about to expire', about: '14 and 3 days before.' },
  'plan.ending': { name: 'Trial or subscription about to end', about: '14 and 3 days before.' },
  'weekly.report': {
    name: 'Weekly report',
    about: 'Mondays at 08:00: what changed in the week, what is due in the next one, coverage.',
  },
}

const choiceWords: Record<NoticeChoice, string> = {
  at_once: 'At once',
  digest: 'Daily digest',
  weekly: 'Weekly',
  never: 'Never',
}

/** One line for each kind of notice the member's role gets; a change is saved at once. */
export function NoticeChoices({ slug, settings }: { slug: string; settings: NoticeSettings }): ReactNode {
  const change = useAct({
    slug,
    send: ({ kind, choice }: { kind: ChosenKind; choice: NoticeChoice }) =>
      call(changeNoticeSettings, { params: { slug }, body: { choices: { [kind]: choice } } }),
    done: ({ kind, choice }) => `${kindWords[kind].name}: ${choiceWords[choice].toLowerCase()}.`,
  })
  return (
    <Card title="Mail">
      <Problem error={change.error} />
      <ul className={styles['kinds']}>
        {settings.kinds.map(({ kind, choice, choices }) => (
          <li key={kind} className={styles['kind']}>
            <div className={styles['words']}>
              <strong>{kindWords[kind].name}</strong>
              <span className="dimmed">{kindWords[kind].about}</span>
            </div>
            <NativeSelect
              aria-label={`Mail: ${kindWords[kind].name}`}
              value={choice}
              data={choices.map((value) => ({ value, label: choiceWords[value] }))}
              disabled={change.isPending}
              className={styles['choice']}
              onChange={({ currentTarget }) => {
                const chosen = noticeChoices.find((value) => value === currentTarget.value)
                if (chosen !== undefined) change.mutate({ kind, choice: chosen })
              }}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
