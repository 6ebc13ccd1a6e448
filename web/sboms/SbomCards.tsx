import { Foreign } from '../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Card, Cards } from '../kit/page/Card.tsx'
import { CopyText } from '../kit/text/CopyText.tsx'
import { ExternalLink } from '../kit/text/ExternalLink.tsx'
import { FactList, type Fact } from '../kit/page/Facts.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { shownUrl } from '../kit/text/safe-url.ts'
import { Moment } from '../kit/time/Time.tsx'
import { FindingsSummary } from './FindingsSummary.tsx'

export function SbomCards({ sbom }: { sbom: SbomDetail }): ReactNode {
  return (
    <Cards>
      <FindingsSummary sbom={sbom} />
      <PipelineCard sbom={sbom} />
      <DocumentCard sbom={sbom} />
    </Cards>
  )
}

function PipelineCard({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { commit, branch, repository, runUrl } = sbom.pipeline
  const facts: Fact[] = []
  if (commit !== null)
    facts.push({
      name: 'Commit',
      value: (
        <CopyText text={commit} what="commit">
          <Foreign>{shortCommit(commit)}</Foreign>
        </CopyText>
      ),
    })
  if (branch !== null) facts.push({ name: 'Branch', value: branch })
  if (repository !== null) facts.push({ name: 'Repository', value: repository })
  if (runUrl !== null)
    facts.push({ name: 'Run', value: <ExternalLink href={runUrl}>{shownUrl(runUrl)}</ExternalLink> })
  return (
    <Card title="Pipeline">
      {facts.length === 0 ? (
        <Text c="dimmed">
          The upload named no commit, branch, repository or run. Add the headers shown in the{' '}
          <TextLink {...pages.family(slug, sbom.family.id, { tab: 'upload' })} underline="always">
            family’s upload help
          </TextLink>
          .
        </Text>
      ) : (
        <FactList facts={facts} />
      )}
    </Card>
  )
}

/** Shortens a full hash; other names of commits stay whole. */
function shortCommit(commit: string): string {
  return /^[0-9a-f]{40,64}$/i.test(commit) ? commit.slice(0, 10) : commit
}

function DocumentCard({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { documentName, tools, operatingSystem, documentCreatedAt } = sbom
  const facts: Fact[] = []
  if (documentName !== null) facts.push({ name: 'Describes', value: documentName })
  if (tools.length > 0) facts.push({ name: 'Written by', value: tools.join(', ') })
  if (operatingSystem !== null) {
    facts.push({
      name: 'System',
      value: [operatingSystem.name, operatingSystem.version].filter((part) => part !== null).join(' '),
    })
  }
  if (documentCreatedAt !== null) facts.push({ name: 'Written', value: <WrittenAt at={documentCreatedAt} /> })
  facts.push({
    name: 'SHA-256',
    value: <CopyText text={sbom.sha256} what="SHA-256">{`${sbom.sha256.slice(0, 16)}…`}</CopyText>,
  })
  return (
    <Card title="Document">
      <FactList facts={facts} />
    </Card>
  )
}

/** The document's own timestamp is untrusted: shown as a time only if it is one. */
function WrittenAt({ at }: { at: string }): ReactNode {
  return Number.isNaN(Date.parse(at)) ? <Foreign>{at}</Foreign> : <Moment at={at} />
}
