import { Button, Group, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InboxReport } from '#contract/disclosure/shapes.ts'
import { changeReport, hideCredit, showCredit } from '#contract/disclosure/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { Card } from '../kit/page/Card.tsx'
import { FactList, type Fact } from '../kit/page/Facts.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { Moment } from '../kit/time/Time.tsx'

/** Whether the reporter wants credit, has agreed, and is credited. */
export function ReportCredit({ report }: { report: InboxReport }): ReactNode {
  const workspace = useWorkspace()
  if (report.isErased) return null
  const { wantsCredit, creditConsent } = report
  const canAct = refusal(workspace, 'see_inbox') === undefined
  return (
    <Card title="Credit">
      <FactList facts={creditFacts(report)} />
      {canAct ? <CreditActs report={report} /> : null}
      {wantsCredit && !creditConsent ? (
        <Text c="dimmed">The reporter can agree on the status page.</Text>
      ) : null}
    </Card>
  )
}

function creditFacts(report: InboxReport): Fact[] {
  const { wantsCredit, credit, report: written } = report
  const organisation = written?.creditOrganisation ?? ''
  return [
    { name: 'Wish', value: wantsCredit ? 'to be named' : 'not to be named' },
    ...(wantsCredit ? [{ name: 'Consent to publish', value: <Consent report={report} /> }] : []),
    ...(credit === null ? [] : [{ name: 'Shown as', value: credit.name }]),
    ...(organisation === '' ? [] : [{ name: 'Organisation', value: organisation }]),
  ]
}

function Consent({ report: { creditConsent, consentWithdrawnAt } }: { report: InboxReport }): ReactNode {
  if (creditConsent) return 'given'
  if (consentWithdrawnAt === null) return 'not given'
  return (
    <>
      withdrawn by the reporter, <Moment at={consentWithdrawnAt} wraps />
    </>
  )
}

function CreditActs({ report }: { report: InboxReport }): ReactNode {
  const { creditConsent, credit } = report
  return (
    <>
      {credit === null && creditConsent ? <ShowForm report={report} /> : null}
      {credit !== null || creditConsent ? <Withdraw report={report} /> : null}
    </>
  )
}

type Typed = { name: string; link: string }

function ShowForm({ report }: { report: InboxReport }): ReactNode {
  const { slug } = useWorkspace()
  const show = useAct({
    slug,
    send: ({ name, link }: Typed) =>
      call(showCredit, {
        params: { slug, number: String(report.number) },
        body: { name, link: link === '' ? null : link },
      }),
    done: () => 'Shown on the acknowledgments page.',
  })
  const { creditName = '', creditOrganisation = '', creditLink = '' } = report.report ?? {}
  const form = useSendForm<Typed, Typed>({
    initialValues: { name: creditName === '' ? creditOrganisation : creditName, link: creditLink },
    inputOf: (typed) => typed,
    send: show,
  })
  return (
    <Form state={form.state} verb="Show on the acknowledgments page">
      <TextInput {...form.getInputProps('name')} label="Name" />
      <TextInput {...form.getInputProps('link')} label="Link" />
    </Form>
  )
}

function Withdraw({ report }: { report: InboxReport }): ReactNode {
  const { slug } = useWorkspace()
  const params = { slug, number: String(report.number) }
  const withdraw = useAct({
    slug,
    send: (what: 'credit' | 'consent') =>
      what === 'credit'
        ? call(hideCredit, { params })
        : call(changeReport, { params, body: { creditConsent: false } }),
    done: (what) => (what === 'credit' ? 'No longer shown.' : 'The consent was withdrawn.'),
  })
  return (
    <Group gap="xs" mt="sm">
      <Problem error={withdraw.error} />
      {report.credit === null ? null : (
        <Button
          variant="default"
          disabled={withdraw.isPending}
          onClick={() => {
            withdraw.mutate('credit')
          }}
        >
          Remove from the acknowledgments page
        </Button>
      )}
      {report.creditConsent ? (
        <Button
          variant="default"
          disabled={withdraw.isPending}
          onClick={() => {
            withdraw.mutate('consent')
          }}
        >
          Record that consent was withdrawn
        </Button>
      ) : null}
    </Group>
  )
}
