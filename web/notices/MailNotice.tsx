import { Stack } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { MailState, UrgentKind } from '#contract/notices/shapes.ts'
import { pages } from '../areas.ts'
import { TextLink } from '../kit/text/links.tsx'
import { Notice } from '../kit/page/Notice.tsx'

const unheardWords: Record<UrgentKind, string> = {
  'deadline.warning': 'deadline warnings',
  'deadline.overdue': 'notices of overdue reports',
  'approval.requested': 'requests for approval',
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

type Props = { slug: string; state: MailState; mb?: number }

/** Says that mail is not delivered, or that something urgent would reach no member by mail. */
export function MailNotice({ slug, state, mb = 0 }: Props): ReactNode {
  if (!state.goesNowhere && state.unheard.length === 0) return null
  const unheard = anyOf.format(state.unheard.map((kind) => unheardWords[kind]))
  return (
    <Stack gap="xs" mb={mb}>
      {state.goesNowhere ? (
        <Notice Icon={IconMailOff}>
          <span>
            <strong>No mail is sent:</strong> the operator has not set SMTP_URL. Messages to members are kept
            and not sent.
          </span>
        </Notice>
      ) : null}
      {unheard === '' ? null : (
        <Notice Icon={IconMailOff}>
          <span>
            <strong>Nobody would receive {unheard} by mail:</strong> no owner, admin or lead has chosen to.
          </span>
          <TextLink {...pages.notices(slug)}>Your notifications</TextLink>
        </Notice>
      )}
    </Stack>
  )
}
