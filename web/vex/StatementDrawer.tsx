import { QueryProblem } from '../kit/page/Loaded.tsx'
import { Foreign, ForeignLines } from '../kit/text/Foreign.tsx'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { VexDocumentDetail, VexEntryFilter, VexStatementRow } from '#contract/vex/documents.ts'
import { vexStatementQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { CopyText } from '../kit/text/CopyText.tsx'
import { DetailDrawer } from '../kit/page/DetailDrawer.tsx'
import { FactList, type Fact } from '../kit/page/Facts.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { PageSkeleton } from '../kit/page/PageSkeleton.tsx'
import { ZonedTime } from '../kit/time/Time.tsx'
import { justificationWords } from '../findings/verdict.ts'
import { VerdictChip } from '../findings/VerdictChip.tsx'
import { BindingMark } from './BindingMark.tsx'
import styles from './StatementDrawer.module.css'
import { bindingWords, unboundWords } from './vex-words.ts'

type Props = {
  document: VexDocumentDetail
  show: VexEntryFilter
  /** From the address; undefined: closed. */
  number: string | undefined
  /** Undefined until its page of the list is loaded; the statement is then fetched by itself. */
  listed: VexStatementRow | undefined
  onClose: () => void
}

/** One statement of a document: its claim, and what it applies to in the active SBOMs. */
export function StatementDrawer({ document, show, number, listed, onClose }: Props): ReactNode {
  const { slug } = useWorkspace()
  const asked = useQuery({
    ...vexStatementQuery(slug, document.id, { show, number: number ?? '' }),
    enabled: number !== undefined && listed === undefined,
  })
  const statement = listed ?? asked.data
  return (
    <DetailDrawer
      title={statement?.vulnerabilityIds[0] ?? `Statement ${number ?? ''}`}
      opened={number !== undefined}
      onClose={onClose}
    >
      {asked.isLoading ? <PageSkeleton /> : null}
      <QueryProblem query={asked} />
      {statement === null ? <Text c="dimmed">The document has no statement with this number.</Text> : null}
      {statement === undefined || statement === null ? null : (
        <Content document={document} statement={statement} />
      )}
    </DetailDrawer>
  )
}

type ContentProps = { document: VexDocumentDetail; statement: VexStatementRow }

function Content({ document, statement }: ContentProps): ReactNode {
  return (
    <Stack gap="lg">
      <div className={styles['marks']}>
        {statement.verdict === null ? null : <VerdictChip verdict={statement.verdict} />}
        <BindingMark binding={statement.binding} />
      </div>
      <Binding statement={statement} />
      <FactList facts={factsOf(statement)} />
      <Findings document={document} statement={statement} />
      <Components statement={statement} />
      <Targets statement={statement} />
    </Stack>
  )
}

function Binding({ statement: { binding, unboundReason, wholeProduct } }: StatementProps): ReactNode {
  if (unboundReason !== null && binding === 'unbound') {
    const { why, cure } = unboundWords[unboundReason]
    return (
      <Text>
        {why} <span className="dimmed">{cure}</span>
      </Text>
    )
  }
  return <Text>{wholeProduct ? 'It is about the product as a whole.' : bindingWords[binding].meaning}</Text>
}

function factsOf(statement: VexStatementRow): Fact[] {
  const { vulnerabilityIds, justification, rawJustification, rawStatus, impact, action, responses } =
    statement
  const facts: Fact[] = []
  if (vulnerabilityIds.length > 1) facts.push({ name: 'Also', value: vulnerabilityIds.slice(1).join(', ') })
  if (justification !== null) {
    facts.push({ name: 'Why', value: justificationWords[justification].name })
  }
  if (impact !== null) facts.push({ name: 'Reason', value: <ForeignLines>{impact}</ForeignLines> })
  if (action !== null) facts.push({ name: 'Action', value: <ForeignLines>{action}</ForeignLines> })
  if (responses.length > 0) facts.push({ name: 'Response', value: responses.join(', ') })
  const raw = [rawStatus, rawJustification].filter((word) => word !== null)
  if (raw.length > 0) facts.push({ name: 'Author’s note', value: <code>{raw.join(' · ')}</code> })
  if (statement.statedAt !== null)
    facts.push({ name: 'Stated', value: <ZonedTime at={statement.statedAt} /> })
  facts.push({
    name: 'Place',
    value: statement.pointer === '' ? 'the document' : <CopyText text={statement.pointer} what="place" />,
  })
  return facts
}

type StatementProps = { statement: VexStatementRow }

function Findings({ document, statement: { boundFindings, verdict } }: ContentProps): ReactNode {
  const { slug } = useWorkspace()
  if (boundFindings.length === 0) {
    return verdict === null || document.state !== 'active' ? null : (
      <Text c="dimmed">There is no open finding of this vulnerability in what it names.</Text>
    )
  }
  return (
    <section aria-label="Findings">
      <Text fw={600} mb={6}>
        Findings
      </Text>
      <ul className={styles['list']}>
        {boundFindings.map(({ id, title, component, productVersion, ...finding }) => (
          <li key={id}>
            <TextLink {...pages.finding(slug, id)} underline="always">
              <Foreign>{title}</Foreign>
            </TextLink>{' '}
            in <Foreign>{component}</Foreign>
            <span className="dimmed">
              {' '}
              of{' '}
              <Foreign>
                {productVersion === null ? 'SBOMs without a version' : `version ${productVersion}`}
              </Foreign>
              {verdict === null || document.state !== 'active' ? '' : standing(finding)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Whether a statement in force decides about a finding, and why not. */
function standing({ decides, needsOthers }: { decides: boolean; needsOthers: boolean }): string {
  if (decides) return ' · in force'
  return needsOthers
    ? ' · decides once statements cover the other packages of its source, too'
    : ' · overridden by a stronger verdict'
}

function Components({ statement: { components } }: StatementProps): ReactNode {
  if (components.length === 0) return null
  return (
    <section aria-label="Components">
      <Text fw={600} mb={6}>
        Components of active SBOMs
      </Text>
      <ul className={styles['list']}>
        {components.map(({ name, version, purl }, at) => (
          <li key={at}>
            <Foreign>{name}</Foreign>{' '}
            {version === null ? (
              <span className="dimmed">without version</span>
            ) : (
              <Foreign>{version}</Foreign>
            )}
            {purl === null ? null : <CopyText text={purl} what="purl" />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Targets({ statement: { targets, productLabel } }: StatementProps): ReactNode {
  if (targets.length === 0 && productLabel === '') return null
  return (
    <section aria-label="Named in the document">
      <Text fw={600} mb={6}>
        Named in the document
      </Text>
      {targets.length === 0 ? (
        <Text>
          <Foreign>{productLabel}</Foreign>
        </Text>
      ) : null}
      <ul className={styles['list']}>
        {targets.map(({ purl, cpe, reference }, at) => (
          <li key={at}>
            <CopyText text={purl ?? cpe ?? reference ?? ''} what="what it names" />
          </li>
        ))}
      </ul>
    </section>
  )
}
