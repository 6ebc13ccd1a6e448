import { Foreign } from '../../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { vulnerabilityId } from '#contract/public/public-id.ts'
import type { VulnerabilityRecord } from '#contract/vulnerabilities/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Card } from '../../kit/page/Card.tsx'
import { Chip } from '../../kit/text/Chip.tsx'
import { CopyIcon, CopyText } from '../../kit/text/CopyText.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { References } from '../../findings/evidence/References.tsx'
import { SeverityMark } from '../../findings/Severity.tsx'
import { Moment, StatedTime } from '../../kit/time/Time.tsx'
import { recordAddress, sourceWords } from '../../findings/evidence/record-words.ts'

type Props = {
  record: VulnerabilityRecord
  /** Its text is shown above all records, because several may share it. */
  isToldElsewhere: boolean
}

/** One source's record of the vulnerability. */
export function RecordCard({ record, isToldElsewhere }: Props): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Card
      title={vulnerabilityId(record.recordId)}
      aside={
        <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
          <CopyIcon text={vulnerabilityId(record.recordId)} what={vulnerabilityId(record.recordId)} />
          <ExternalLink href={recordAddress(record)}>{sourceWords(record.source)}</ExternalLink>
        </span>
      }
    >
      {record.summary === '' || isToldElsewhere ? null : (
        <Text mb="sm">
          <Foreign>{record.summary}</Foreign>
        </Text>
      )}
      <FactList facts={factsOf(record, slug)} />
      <References references={record.references} />
    </Card>
  )
}

/** Some records list dozens. */
const maxIds = 8

const relationWords = {
  is_about: 'a record about this vulnerability alone',
  names: 'lists this vulnerability among others',
} as const

function factsOf(record: VulnerabilityRecord, slug: string): Fact[] {
  const facts: Fact[] = [
    { name: 'Severity', value: <SeverityMark severity={record.severity} score={record.score} /> },
  ]
  if (record.relation !== 'is') facts.push({ name: 'Relation', value: relationWords[record.relation] })
  if (record.isWithdrawn) {
    facts.push({
      name: 'Withdrawn',
      value: (
        <Chip tone="neutral" Icon={IconArchive} title="It no longer affects anything">
          <StatedTime at={record.withdrawnAt} />
        </Chip>
      ),
    })
  }
  if (record.class !== 'vulnerability') facts.push({ name: 'Class', value: record.class })
  if (record.vector !== null)
    facts.push({ name: 'Vector', value: <CopyText text={record.vector} what="vector" /> })
  if (record.aliases.length > 0)
    facts.push({ name: 'Aliases', value: <Ids ids={record.aliases} slug={slug} /> })
  if (record.upstream.length > 0)
    facts.push({ name: 'Upstream', value: <Ids ids={record.upstream} slug={slug} /> })
  if (record.publishedAt !== null)
    facts.push({ name: 'Published', value: <Moment at={record.publishedAt} /> })
  facts.push({ name: 'Changed', value: <StatedTime at={record.modifiedAt} /> })
  return facts
}

/** More ids, each linking to its page. */
function Ids({ ids, slug }: { ids: readonly string[]; slug: string }): ReactNode {
  const shown = [...new Set(ids.map(vulnerabilityId))]
  return (
    <>
      {shown.slice(0, maxIds).map((id, at) => (
        <Fragment key={id}>
          {at === 0 ? '' : ', '}
          <TextLink {...pages.vulnerability(slug, id)}>{id}</TextLink>
        </Fragment>
      ))}
      {shown.length > maxIds ? (
        <span className="dimmed" title={visibleText(shown.join(', '))}>
          {' '}
          and {formatCount(shown.length - maxIds)} more
        </span>
      ) : null}
    </>
  )
}
