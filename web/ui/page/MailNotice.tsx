import { Alert, Stack } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UrgentKind } from '../../../src/contract/notices.ts'
import { mailStateQuery } from '../../api/notice-queries.ts'
import { pages } from '../../paths.ts'
import { TextLink } from '../text/links.tsx'

const unheardWords: Record<UrgentKind, string> = {
  'deadline.warning': 'deadline warnings',
  'deadline.overdue': 'overdue reports',
  'approval.requested': 'requests for approval',
}

/** Says when mail goes nowhere, or when something urgent would reach no member by mail. */
export function MailNotice({ slug }: { slug: string }): ReactNode {
  const state = useQuery(mailStateQuery(slug)).data
  if (state === undefined || (!state.goesNowhere && state.unheard.length === 0)) return null
  const unheard = state.unheard.map((kind) => unheardWords[kind])
  return (
    <Stack gap="xs">
      {state.goesNowhere ? (
        <Alert color="yellow" icon={<IconMailOff size={18} aria-hidden />} title="Mail goes nowhere">
          No mail server is configured: the operator has not set SMTP_URL. Messages to members are kept and
          not sent.
        </Alert>
      ) : null}
      {unheard.length === 0 ? null : (
        <Alert
          color="yellow"
          icon={<IconMailOff size={18} aria-hidden />}
          title={`Nobody would receive ${new Intl.ListFormat('en', { type: 'disjunction' }).format(unheard)} by mail`}
        >
          No owner, admin or lead has chosen to get them.{' '}
          <TextLink {...pages.notices(slug)}>Your choices</TextLink>
        </Alert>
      )}
    </Stack>
  )
}
