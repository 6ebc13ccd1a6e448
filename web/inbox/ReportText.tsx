import { Button, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { InboxAttachment, InboxReport, ReportText as Written } from '#contract/disclosure/shapes.ts'
import { downloadAttachment } from '#contract/disclosure/operations.ts'
import { saveFile } from '../kit/api/save-file.ts'
import { useSend } from '../kit/api/use-send.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Card } from '../kit/page/Card.tsx'
import { FactList } from '../kit/page/Facts.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { Foreign, ForeignLines } from '../kit/text/Foreign.tsx'
import { formatBytes } from '../kit/text/format.ts'
import { Moment } from '../kit/time/Time.tsx'
import styles from './inbox.module.css'

/** The reporter's text, always rendered as plain text. */
export function ReportText({ report }: { report: InboxReport }): ReactNode {
  const { report: written, isUnreadable, erasedAt, attachments } = report
  return (
    <Card title="The report">
      {written === null ? null : <Said written={written} report={report} />}
      {isUnreadable ? (
        <Text role="alert">
          The report cannot be read: its encryption key is missing. The operator has to restore it.
        </Text>
      ) : null}
      {erasedAt === null ? null : (
        <Text c="dimmed">
          What it said was erased <Moment at={erasedAt} />.
        </Text>
      )}
      <Attachments number={report.number} attachments={attachments} />
    </Card>
  )
}

/** How the reporter learns of news on the status page. */
function toldWords({ hasMail, goesNowhere }: { hasMail: boolean; goesNowhere: boolean }): string {
  if (!hasMail) return 'The reporter left no e-mail address and reads the status page.'
  return goesNowhere
    ? 'The reporter is not told by mail when there is something new on the status page: no mail server is configured.'
    : 'The reporter is told by mail when there is something new on the status page.'
}

function Said({ written, report }: { written: Written; report: InboxReport }): ReactNode {
  const { mail } = useWorkspace()
  const facts = [
    ['Product', written.product],
    ['Version', written.version],
    ['Type', written.type],
    ['CVE', written.cve],
    ['Reporter', written.contactName],
    ['E-mail', written.contactEmail],
  ] as const
  return (
    <Stack gap="sm">
      <div className={styles['text']}>
        <ForeignLines>{written.description}</ForeignLines>
      </div>
      <Lines title="Impact" text={written.impact} />
      <Lines title="Others told" text={written.toldOthers} />
      <FactList facts={facts.flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]))} />
      <Text c="dimmed" fz="sm">
        {toldWords({ hasMail: report.hasMail, goesNowhere: mail.goesNowhere })}
      </Text>
    </Stack>
  )
}

/** What the form asks for in several lines; nothing where nothing was written. */
function Lines({ title, text }: { title: string; text: string }): ReactNode {
  if (text === '') return null
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <div className={styles['text']}>
        <ForeignLines>{text}</ForeignLines>
      </div>
    </div>
  )
}

type Listed = { number: number; attachments: InboxAttachment[] }

function Attachments({ number, attachments }: Listed): ReactNode {
  if (attachments.length === 0) return null
  return (
    <Stack gap={6} mt="md">
      <Text fw={600}>Attachments</Text>
      <Text c="dimmed" fz="sm">
        Files from a stranger: open them only where they can do no harm.
      </Text>
      {attachments.map((attachment) => (
        <Attachment key={attachment.id} number={number} attachment={attachment} />
      ))}
    </Stack>
  )
}

function Attachment({ number, attachment }: { number: number; attachment: InboxAttachment }): ReactNode {
  const { slug } = useWorkspace()
  const name = visibleText(attachment.name ?? 'a file that cannot be opened')
  const save = useSend({
    send: () =>
      saveFile(
        downloadAttachment,
        { params: { slug, number: String(number), attachment: attachment.id } },
        name,
      ),
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        className={styles['file']}
        leftSection={<IconDownload size={14} />}
        loading={save.isPending}
        onClick={() => {
          save.mutate()
        }}
      >
        <span className="clip" title={name}>
          <Foreign>{name}</Foreign>
        </span>{' '}
        <span className={styles['size']}>{`(${formatBytes(attachment.bytes)})`}</span>
      </Button>
      <Problem error={save.error} />
    </>
  )
}
