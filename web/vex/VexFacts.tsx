import { visibleText } from '#contract/hidden-characters.ts'
import type { ReactNode } from 'react'
import type { VexDocumentDetail } from '#contract/vex/documents.ts'
import { sourceLabels } from '#contract/sbom/shapes.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Card, Cards } from '../kit/page/Card.tsx'
import { CopyText } from '../kit/text/CopyText.tsx'
import { FactList, type Fact } from '../kit/page/Facts.tsx'
import { formatBytes, formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { ZonedTime } from '../kit/time/Time.tsx'
import { capital, scopeWords } from './vex-words.ts'

/** The document's origin and metadata. */
export function VexFacts({ document }: { document: VexDocumentDetail }): ReactNode {
  return (
    <Cards>
      <Card title="Effect">
        <FactList facts={useEffectFacts(document)} />
      </Card>
      <Card title="Document">
        <FactList facts={documentFacts(document)} />
      </Card>
    </Cards>
  )
}

function useEffectFacts(document: VexDocumentDetail): Fact[] {
  const { slug } = useWorkspace()
  const { decides, unbound, source, sentBy, receivedAt, sbomId } = document
  const facts: Fact[] = [
    { name: 'Applies to', value: capital(scopeWords(document)) },
    { name: 'Decides', value: decides === 0 ? 'no findings at present' : formatNoun(decides, 'finding') },
  ]
  if (unbound > 0) {
    facts.push({
      name: 'Not bound',
      value: (
        <TextLink {...pages.vex(slug, document.id, { show: 'unbound' })} resetScroll={false}>
          {formatNoun(unbound, 'statement')} without effect
        </TextLink>
      ),
    })
  }
  facts.push(
    { name: 'Received', value: <ZonedTime at={receivedAt} /> },
    { name: 'Sent by', value: visibleText(`${sentBy} · ${sourceLabels[source]}`) },
  )
  if (sbomId !== null) {
    facts.push({
      name: 'Inside',
      value: <TextLink {...pages.sbom(slug, sbomId)}>the SBOM it came with</TextLink>,
    })
  }
  return facts
}

function documentFacts(document: VexDocumentDetail): Fact[] {
  const { formatLabel, author, documentId, documentTime, sizeBytes, sha256 } = document
  const none = <span className="dimmed">not named</span>
  return [
    { name: 'Format', value: `${formatLabel} · ${formatBytes(sizeBytes)}` },
    { name: 'Author', value: author ?? none },
    { name: 'Document time', value: documentTime === null ? none : <ZonedTime at={documentTime} /> },
    {
      name: 'Document ID',
      value: documentId === null ? none : <CopyText text={documentId} what="document id" />,
    },
    { name: 'SHA-256', value: <CopyText text={sha256} what="SHA-256" /> },
  ]
}
