import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { exploitedQuery } from '../../api/inventory-queries.ts'
import { familyNamesQuery, sourcesQuery, tokensQuery } from '../../api/queries.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { TextLink } from '../../ui/text/links.tsx'
import { MailNotice } from '../../ui/page/MailNotice.tsx'
import { PageHeader } from '../../ui/page/PageHeader.tsx'
import { Problem } from '../../ui/page/Problem.tsx'
import { Section } from '../../ui/page/Section.tsx'
import { Checklist } from './Checklist.tsx'
import { DeliveryNotice } from './DeliveryNotice.tsx'
import { ExploitedTable } from './ExploitedTable.tsx'
import { SourceAges } from './SourceAges.tsx'

/** What needs someone now: the first steps until they are done, exploited findings, and the age of the data. */
export default function DashboardPage(): ReactNode {
  const { slug, mail } = useWorkspace()
  const families = useQuery(familyNamesQuery(slug))
  const tokens = useQuery(tokensQuery(slug))
  const sources = useQuery(sourcesQuery(slug))
  const exploited = useQuery(exploitedQuery(slug))
  const error = exploited.error ?? families.error ?? tokens.error ?? sources.error
  return (
    <>
      <PageHeader title="Dashboard" />
      <Stack gap={28}>
        <DeliveryNotice />
        <MailNotice slug={slug} state={mail} />
        {error === null ? null : (
          <Problem
            error={error}
            onRetry={() => {
              void exploited.refetch()
              void families.refetch()
              void tokens.refetch()
              void sources.refetch()
            }}
          />
        )}
        {families.data === undefined || tokens.data === undefined ? null : (
          <Checklist families={families.data} tokens={tokens.data} />
        )}
        <Section
          title="Fix first: known to be exploited"
          aside={<TextLink {...pages.vulnerabilities(slug, { exploited: true })}>All exploited</TextLink>}
        >
          <ExploitedTable list={exploited.data} />
        </Section>
        <Section title="Data freshness" aside={<TextLink {...pages.sources(slug)}>All sources</TextLink>}>
          <SourceAges sources={sources.data?.sources} switchedOff={sources.data?.switchedOff ?? []} />
        </Section>
      </Stack>
    </>
  )
}
