import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { overviewQuery } from '../incidents/queries.ts'
import { exploitedQuery } from '../vulnerabilities/queries.ts'
import { familyNamesQuery } from '../families/queries.ts'
import { sourcesQuery } from '../sources/queries.ts'
import { tokensQuery } from '../settings/tokens/queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { MailNotice } from '../notices/MailNotice.tsx'
import { both, isMissing, QueryProblem } from '../kit/page/Loaded.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Section } from '../kit/page/Section.tsx'
import { Checklist } from './Checklist.tsx'
import { CoverageSection } from './CoverageSection.tsx'
import { ContactNotices } from './ContactNotices.tsx'
import { DeadlineList } from './DeadlineList.tsx'
import { DeliveryNotice } from './DeliveryNotice.tsx'
import { ExploitedTable } from './ExploitedTable.tsx'
import { Readiness } from './Readiness.tsx'
import { FailingSources } from '../sources/FailingSources.tsx'
import { SourceAges } from './SourceAges.tsx'
import { WaitingList } from './WaitingList.tsx'

/** What needs attention now: deadlines, tasks, exploited vulnerabilities without an incident, and readiness. */
export default function DashboardPage(): ReactNode {
  const { slug, mail } = useWorkspace()
  const families = useQuery(familyNamesQuery(slug))
  const tokens = useQuery(tokensQuery(slug))
  const overview = useQuery(overviewQuery(slug))
  return (
    <>
      <PageHeader title="Dashboard" />
      <Stack gap={28}>
        <ContactNotices />
        <DeliveryNotice />
        <MailNotice slug={slug} state={mail} />
        <QueryProblem query={both(families, tokens)} />
        {families.data === undefined || tokens.data === undefined ? null : (
          <Checklist families={families.data} tokens={tokens.data} />
        )}
        <Section title="Deadlines" aside={<TextLink {...pages.incidents(slug)}>All incidents</TextLink>}>
          <QueryProblem query={overview} />
          {isMissing(overview) ? null : <DeadlineList overview={overview.data} />}
        </Section>
        {overview.data === undefined ? null : (
          <Section title="Waiting for you">
            <WaitingList overview={overview.data} />
          </Section>
        )}
        <ExploitedSection suppressed={overview.data?.suppressed ?? 0} />
        {overview.data === undefined ? null : <Readiness overview={overview.data} />}
        <CoverageSection />
        <FreshnessSection />
      </Stack>
    </>
  )
}

/** Matches that opened no incident: possible ones, and those suppressed by a document. */
function ExploitedSection({ suppressed }: { suppressed: number }): ReactNode {
  const { slug } = useWorkspace()
  const exploited = useQuery(exploitedQuery(slug))
  return (
    <Section
      title="Exploited, without an open incident"
      aside={<TextLink {...pages.vulnerabilities(slug, { exploited: true })}>All exploited</TextLink>}
    >
      <QueryProblem query={exploited} />
      {isMissing(exploited) ? null : <ExploitedTable list={exploited.data} />}
      {suppressed === 0 ? null : (
        <Text mt="sm">
          <TextLink {...pages.suppressed(slug)} underline="always">
            {formatNoun(suppressed, 'exploited match', 'exploited matches')} declared not affected or fixed
          </TextLink>{' '}
          by an uploaded VEX document: no incident was opened.
        </Text>
      )}
    </Section>
  )
}

function FreshnessSection(): ReactNode {
  const { slug } = useWorkspace()
  const sources = useQuery(sourcesQuery(slug))
  return (
    <Section title="Data freshness" aside={<TextLink {...pages.sources(slug)}>All sources</TextLink>}>
      <QueryProblem query={sources} />
      <FailingSources sources={sources.data?.sources ?? []} />
      {isMissing(sources) ? null : (
        <SourceAges sources={sources.data?.sources} switchedOff={sources.data?.switchedOff ?? []} />
      )}
    </Section>
  )
}
