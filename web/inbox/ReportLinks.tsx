import { Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { InboxReport } from '#contract/disclosure/shapes.ts'
import { prefillAdvisoryFromReport, unlinkReportFromIncident } from '#contract/disclosure/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { ConfirmedButton } from '../kit/actions/ConfirmedButton.tsx'
import { BeginAdvisory } from '../advisories/BeginAdvisory.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { Card } from '../kit/page/Card.tsx'
import { FactList, type Fact } from '../kit/page/Facts.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { LinkToIncident } from './LinkToIncident.tsx'
import { OpenFromReport } from './OpenFromReport.tsx'

/** The incidents and advisories linked to a report. */
export function ReportLinks({ report }: { report: InboxReport }): ReactNode {
  const facts = linkFacts(report)
  const canLead = report.state !== 'spam' && !report.isErased
  if (facts.length === 0 && !canLead) return null
  return (
    <Card title="Incident and advisory">
      <Stack gap="md">
        {facts.length > 0 ? (
          <FactList facts={facts} />
        ) : (
          <Text c="dimmed">
            It belongs to no incident and no advisory yet. Its words are not copied into either.
          </Text>
        )}
        {canLead ? <LinkActs report={report} /> : null}
      </Stack>
    </Card>
  )
}

function linkFacts(report: InboxReport): Fact[] {
  const { incidents, advisories } = report
  return [
    ...(incidents.length === 0
      ? []
      : [{ name: incidents.length === 1 ? 'Incident' : 'Incidents', value: <Incidents of={report} /> }]),
    ...(advisories.length === 0
      ? []
      : [
          {
            name: advisories.length === 1 ? 'Advisory' : 'Advisories',
            value: <Advisories of={advisories} />,
          },
        ]),
  ]
}

function Incidents({ of: report }: { of: InboxReport }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Stack gap={4}>
      {report.incidents.map((incident) => (
        <Group key={incident.id} gap="xs">
          <TextLink {...pages.incident(slug, incident.id)}>{incident.reference}</TextLink>
          {report.state === 'spam' || report.isErased ? null : <Unlink report={report} incident={incident} />}
        </Group>
      ))}
    </Stack>
  )
}

type UnlinkProps = { report: InboxReport; incident: InboxReport['incidents'][number] }

/** Removes a link. */
function Unlink({ report, incident: { id, reference } }: UnlinkProps): ReactNode {
  const workspace = useWorkspace()
  const params = { slug: workspace.slug, number: String(report.number), incident: id }
  return (
    <ConfirmedButton
      size="compact-xs"
      refused={refusal(workspace, unlinkReportFromIncident.permission)}
      aria-label={`Unlink ${reference}`}
      act={{
        send: () => call(unlinkReportFromIncident, { params }),
        done: () => `Report #${report.number} is no longer linked to ${reference}.`,
      }}
      title={`Unlink report #${report.number} from ${reference}?`}
      consequence="The incident no longer shows the report, and an advisory that is written from the incident does not take the reporter’s credit. The incident keeps its state, its time of awareness and its deadlines. Both histories keep that they were linked, and they can be linked again."
      verb="Unlink"
    >
      Unlink
    </ConfirmedButton>
  )
}

function Advisories({ of }: { of: InboxReport['advisories'] }): ReactNode {
  const { slug } = useWorkspace()
  return of.map(({ id, trackingId }, at) => (
    <span key={id}>
      {at === 0 ? '' : ', '}
      <TextLink {...pages.advisory(slug, id)}>{trackingId}</TextLink>
    </span>
  ))
}

function LinkActs({ report }: { report: InboxReport }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const refused = refusal(workspace, 'see_inbox')
  const [isOpening, opening] = useDisclosure(false)
  const [isLinking, linking] = useDisclosure(false)
  const isUrgent = report.exploited === 'yes' && report.incidents.length === 0
  return (
    <Group gap="xs">
      <ActionButton variant={isUrgent ? 'filled' : 'default'} refused={refused} onClick={opening.open}>
        Open an incident
      </ActionButton>
      <ActionButton variant="default" refused={refused} onClick={linking.open}>
        Link to an incident…
      </ActionButton>
      <BeginAdvisory
        begin={() => call(prefillAdvisoryFromReport, { params: { slug, number: String(report.number) } })}
      />
      <FormModal opened={isOpening} onClose={opening.close} title="Open an incident" size={600}>
        <OpenFromReport report={report} onClose={opening.close} />
      </FormModal>
      <FormModal opened={isLinking} onClose={linking.close} title={`Link report #${report.number}`}>
        <LinkToIncident report={report} onClose={linking.close} />
      </FormModal>
    </Group>
  )
}
