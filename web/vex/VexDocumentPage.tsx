import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { vexDocumentQuery } from './queries.ts'
import type { Crumb } from '../kit/page/Crumbs.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../paths.ts'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { PageSkeleton } from '../kit/page/PageSkeleton.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { StatementTabs } from './StatementTabs.tsx'
import { VexActions } from './VexActions.tsx'
import { VexChain } from './VexChain.tsx'
import { VexFacts } from './VexFacts.tsx'
import { VexHints } from './VexHints.tsx'
import { VexStateChip } from './VexStateChip.tsx'

/** One VEX document: where it came from, what it says, and what of that has an effect. */
export default function VexDocumentPage(): ReactNode {
  const { document: documentId } = useParams({ from: '/signed-in/$slug/vex/$document' })
  const { slug } = useWorkspace()
  const document = useQuery(vexDocumentQuery(slug, documentId))
  const families: Crumb = { name: 'Families', link: pages.families(slug) }
  if (document.data === undefined) {
    if (document.error === null) return <PageSkeleton />
    return (
      <>
        <PageHeader title="VEX document" crumbs={[families]} />
        <Problem
          error={document.error}
          onRetry={() => {
            void document.refetch()
          }}
        />
      </>
    )
  }
  const { family, formatLabel, state } = document.data
  return (
    <>
      <PageHeader
        title={`${family.name}: ${formatLabel}`}
        crumbs={[
          families,
          { name: family.name, link: pages.family(slug, family.id) },
          { name: 'VEX', link: pages.family(slug, family.id, { tab: 'vex' }) },
        ]}
        status={<VexStateChip state={state} />}
        actions={<VexActions document={document.data} />}
      />
      <VexChain document={document.data} />
      <VexFacts document={document.data} />
      <VexHints hints={document.data.hints} />
      <StatementTabs key={documentId} document={document.data} />
    </>
  )
}
