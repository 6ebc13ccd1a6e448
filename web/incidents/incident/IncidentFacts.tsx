import { visibleText } from '#contract/hidden-characters.ts'
import type { ReactNode } from 'react'
import { memberStates, isMemberState } from '#contract/incidents/member-states.ts'
import type { IncidentDetail, RelatedIncident } from '#contract/incidents/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { BothTimes } from '../../kit/time/Countdown.tsx'
import { SeverityMark } from '../../findings/Severity.tsx'
import { sourceNames } from '../words.ts'
import { Facts, type Fact } from '../../kit/page/Facts.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { TextLink } from '../../kit/text/links.tsx'

type Props = { incident: IncidentDetail }

/** Facts of an incident, with links to what it is about. */
export function IncidentFacts({ incident }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { vulnKey, awareAt, timeZone, measureAvailableAt, severity, assignee, openedBy, source } = incident
  const facts: Fact[] = [
    { name: 'Aware since', value: <BothTimes at={awareAt} timeZone={timeZone} /> },
    {
      name: 'Vulnerability',
      value:
        vulnKey === null ? (
          <span className="dimmed">none</span>
        ) : (
          <TextLink {...pages.vulnerability(slug, vulnKey)}>
            <Foreign>{vulnKey}</Foreign>
          </TextLink>
        ),
    },
    { name: 'Product families', value: <FamilyLinks incident={incident} /> },
    { name: 'Severity', value: <SeverityMark severity={severity} score={null} /> },
    {
      name: 'Fix or mitigation since',
      value:
        measureAvailableAt === null ? (
          <span className="dimmed">none yet</span>
        ) : (
          <BothTimes at={measureAvailableAt} timeZone={timeZone} />
        ),
    },
    { name: 'Assignee', value: assignee === null ? <span className="dimmed">nobody</span> : assignee.name },
    { name: 'Opened by', value: openedBy.kind === 'person' ? openedBy.name : sourceNames[source] },
  ]
  const more: Fact[] = [
    ...(incident.closedAt === null
      ? []
      : [{ name: 'Closed', value: <Closed incident={incident} at={incident.closedAt} /> }]),
    ...(incident.memberStates.length === 0
      ? []
      : [{ name: 'Available in', value: incident.memberStates.map(stateName).join(', ') }]),
    ...(incident.related.length === 0
      ? []
      : [{ name: 'Related', value: <RelatedLinks related={incident.related} /> }]),
    ...(incident.inboxReports.length === 0
      ? []
      : [{ name: 'Reports from outside', value: <ReportLinks incident={incident} /> }]),
    ...(incident.vexDocuments.length === 0 ? [] : [{ name: 'VEX', value: <VexLinks incident={incident} /> }]),
    ...(incident.advisories.length === 0
      ? []
      : [{ name: 'Advisories', value: <AdvisoryLinks incident={incident} /> }]),
  ]
  return <Facts facts={[...facts, ...more]} />
}

function Closed({ incident, at }: Props & { at: string }): ReactNode {
  return (
    <>
      <BothTimes at={at} timeZone={incident.timeZone} inText /> by{' '}
      <Foreign>{incident.closedBy ?? ''}</Foreign>: <ForeignLines>{incident.closeReason ?? ''}</ForeignLines>
    </>
  )
}

function stateName(code: string): string {
  return isMemberState(code) ? memberStates[code] : code
}

function FamilyLinks({ incident: { families } }: Props): ReactNode {
  const { slug } = useWorkspace()
  if (families.length === 0) return <span className="dimmed">none</span>
  return families.map(({ id, name }, index) => (
    <span key={id}>
      {index === 0 ? '' : ', '}
      <TextLink {...pages.family(slug, id)}>
        <Foreign>{name}</Foreign>
      </TextLink>
    </span>
  ))
}

function ReportLinks({ incident: { inboxReports } }: Props): ReactNode {
  const { slug } = useWorkspace()
  return inboxReports.map(({ number, state }, index) => (
    <span key={number}>
      {index === 0 ? '' : ', '}
      <TextLink {...pages.inboxReport(slug, number)} underline="always">
        #{number}
      </TextLink>{' '}
      <span className="dimmed">({state.replaceAll('_', ' ')})</span>
    </span>
  ))
}

function VexLinks({ incident: { vexDocuments } }: Props): ReactNode {
  const { slug } = useWorkspace()
  return vexDocuments.map(({ id, name, verdict }, index) => (
    <span key={`${id} ${verdict}`}>
      {index === 0 ? '' : ', '}
      <TextLink {...pages.vex(slug, id)} underline="always">
        <Foreign>{name}</Foreign>
      </TextLink>{' '}
      <span className="dimmed">({verdict.replaceAll('_', ' ')})</span>
    </span>
  ))
}

function AdvisoryLinks({ incident: { advisories } }: Props): ReactNode {
  const { slug } = useWorkspace()
  return advisories.map(({ id, trackingId, number }, index) => (
    <span key={id}>
      {index === 0 ? '' : ', '}
      <TextLink {...pages.advisory(slug, id)} underline="always">
        {trackingId}
      </TextLink>{' '}
      <span className="dimmed">({number === null ? 'draft' : `published as ${number}`})</span>
    </span>
  ))
}

const relations: Record<RelatedIncident['relation'], string> = {
  same_vulnerability: 'same vulnerability',
  follows: 'followed by this one',
  followed_by: 'follows this one',
}

function RelatedLinks({ related }: { related: readonly RelatedIncident[] }): ReactNode {
  const { slug } = useWorkspace()
  return related.map(({ id, reference, title, relation, status }, index) => (
    <span key={id} title={visibleText(title)}>
      {index === 0 ? '' : ', '}
      <TextLink {...pages.incident(slug, id)} underline="always">
        {reference}
      </TextLink>{' '}
      <span className="dimmed">
        ({relations[relation]}, {status})
      </span>
    </span>
  ))
}
