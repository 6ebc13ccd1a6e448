import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { sourceLabels } from '#contract/sbom/shapes.ts'
import type { BoundStatement } from '#contract/findings/verdict.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { TextLink } from '../../kit/text/links.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { justificationWords } from '../verdict.ts'
import { vexFormatNames } from '../../vex/vex-words.ts'
import styles from './VerdictCard.module.css'

/** A VEX statement in words: its document and author, its date, its scope and its reason. */
export function StatementLines({ statement }: { statement: BoundStatement }): ReactNode {
  const { slug } = useWorkspace()
  const { documentId, number, format, author, source, sbomId, statedAt, receivedAt } = statement
  return (
    <>
      <Text>
        <TextLink {...pages.vex(slug, documentId, { statement: String(number) })} underline="always">
          Statement {number} of the {sbomId === null ? vexFormatNames[format] : 'SBOM’s own'} document
        </TextLink>
        {author === null ? null : (
          <>
            {' '}
            by <Foreign>{author}</Foreign>
          </>
        )}
        , for {statement.everyVersion ? 'every version' : 'this version'}
        {statement.wholeProduct ? ' and the product as a whole' : ''}.
      </Text>
      <Text c="dimmed">
        {statedAt === null ? null : (
          <>
            Stated <ZonedTime at={statedAt} />,{' '}
          </>
        )}
        {statedAt === null ? 'Received' : 'received'} <ZonedTime at={receivedAt} /> from{' '}
        {sourceLabels[source]}
      </Text>
      <Reason statement={statement} />
    </>
  )
}

function Reason({ statement }: { statement: BoundStatement }): ReactNode {
  const { justification, rawJustification, impact, action, responses } = statement
  const advice = [action, ...responses].filter((words) => words !== null && words !== '').join(' · ')
  return (
    <>
      {justification === null ? null : (
        <Text title={visibleText(rawJustification ?? justification)}>
          {justificationWords[justification].name}.
        </Text>
      )}
      {impact === null ? null : (
        <blockquote className={styles['quote']}>
          <ForeignLines>{impact}</ForeignLines>
        </blockquote>
      )}
      {advice === '' ? null : (
        <Text c="dimmed">
          Action: <Foreign>{advice}</Foreign>
        </Text>
      )}
    </>
  )
}
