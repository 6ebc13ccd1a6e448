import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { vexDocumentQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { StatementTabs } from './StatementTabs.tsx'
import { VexActions } from './VexActions.tsx'
import { VexChain } from './VexChain.tsx'
import { VexFacts } from './VexFacts.tsx'
import { VexHints } from './VexHints.tsx'
import { VexStateChip } from './VexStateChip.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import type { VexDocumentDetail } from '#contract/vex/documents.ts'

/** One VEX document: its origin, its statements, and which of them have an effect. */
export default function VexDocumentPage(): ReactNode {
  const { document: documentId } = useParams({ from: '/signed-in/$slug/vex/$document' })
  const { slug } = useWorkspace()
  return (
    <Loaded
      query={useQuery(vexDocumentQuery(slug, documentId))}
      head={<PageHeader title="VEX document" crumbs={[{ name: 'Families', link: pages.families(slug) }]} />}
    >
      {(document) => <VexDocument key={documentId} document={document} />}
    </Loaded>
  )
}

function VexDocument({ document }: { document: VexDocumentDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { family, formatLabel, state } = document
  return (
    <>
      <PageHeader
        title={`${family.name}: ${formatLabel}`}
        crumbs={[
          { name: 'Families', link: pages.families(slug) },
          { name: family.name, link: pages.family(slug, family.id) },
          { name: 'VEX', link: pages.family(slug, family.id, { tab: 'vex' }) },
        ]}
        status={<VexStateChip state={state} />}
        actions={<VexActions document={document} />}
      />
      <VexChain document={document} />
      <VexFacts document={document} />
      <VexHints hints={document.hints} />
      <StatementTabs document={document} />
    </>
  )
}
