import { Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { NoticeSettings } from '#contract/notices/shapes.ts'
import { changeNoticeSettings } from '#contract/notices/operations.ts'
import { call } from '../kit/api/call.ts'
import { noticeSettingsQuery } from './queries.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Card } from '../kit/page/Card.tsx'
import { MailNotice } from './MailNotice.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { NoticeChoices } from './NoticeChoices.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'

/** What a member gets mail about in this workspace, and the zone of the daily digest. */
export default function NoticesPage(): ReactNode {
  const { slug, companyName, mail } = useWorkspace()
  const settings = useQuery(noticeSettingsQuery(slug))
  return (
    <>
      <PageHeader
        title="Your notifications"
        about={`What you get mail about in ${visibleText(companyName)}. The bell shows all of it except the weekly report, whatever you choose here.`}
      />
      <Stack gap="lg" maw={760}>
        <MailNotice slug={slug} state={mail} />
        <Loaded query={settings} tellsLater>
          {(stored) => (
            <>
              <NoticeChoices slug={slug} settings={stored} />
              <DigestTime slug={slug} settings={stored} goesNowhere={mail.goesNowhere} />
              {mail.goesNowhere ? null : (
                <Text c="dimmed" size="sm">
                  Mail about the security of your account and of tokens, such as a sign-in from a new address,
                  is always sent at once.
                </Text>
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </>
  )
}

const zones = Intl.supportedValuesOf('timeZone')

type DigestProps = { slug: string; settings: NoticeSettings; goesNowhere: boolean }

function DigestTime({ slug, settings, goesNowhere }: DigestProps): ReactNode {
  const { timeZone, workspaceTimeZone } = settings
  const change = useAct({
    slug,
    send: (zone: string | null) => call(changeNoticeSettings, { params: { slug }, body: { timeZone: zone } }),
    done: () => 'Saved.',
  })
  const known = timeZone === null || zones.includes(timeZone) ? zones : [timeZone, ...zones]
  return (
    <Card title="Daily digest and weekly report">
      <Stack gap="sm">
        <Select
          label="Time zone"
          description="Both are sent at 08:00 in this time zone: the digest on days with something to tell, the report on Mondays."
          placeholder={`The workspace’s: ${visibleText(workspaceTimeZone)}`}
          data={known}
          value={timeZone}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Use the time zone of the workspace' }}
          limit={100}
          maw={360}
          disabled={change.isPending}
          onChange={(zone) => {
            change.mutate(zone)
          }}
        />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {goesNowhere
            ? `Mail would go to ${settings.email}, but none is sent: no mail server is configured.`
            : `Mail goes to ${settings.email}.`}
        </Text>
        <Problem error={change.error} />
      </Stack>
    </Card>
  )
}
