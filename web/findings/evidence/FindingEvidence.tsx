import { Foreign } from '../../kit/text/Foreign.tsx'
import { Stack, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconInfoCircle, IconTool, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FindingDetail } from '#contract/findings/shapes.ts'
import { Chip } from '../../kit/text/Chip.tsx'
import { ExploitedChips } from '../ExploitedChip.tsx'
import { GradeMark } from '../GradeMark.tsx'
import { isMalware, MalwareMark } from '../MalwareMark.tsx'
import { SeverityMark } from '../Severity.tsx'
import { Age, Moment } from '../../kit/time/Time.tsx'
import { VerdictCard } from '../verdicts/VerdictCard.tsx'
import { AffectedComponents } from './AffectedComponents.tsx'
import { ExploitedEntries } from './ExploitedEntries.tsx'
import styles from './FindingEvidence.module.css'
import { PatchedBySbom } from './PatchedBySbom.tsx'
import { Identification } from './Identification.tsx'
import { RecordEvidence } from './RecordEvidence.tsx'
import { VendorWords } from './VendorWords.tsx'

/** The finding in a sentence, then the evidence: ranges, records, catalogues, and how the component was identified. */
export function FindingEvidence({ finding }: { finding: FindingDetail }): ReactNode {
  return (
    <Stack gap="lg" className={styles['evidence']}>
      <Sentence finding={finding} />
      <Marks finding={finding} />
      {finding.summary === '' ? null : (
        <Text>
          <Foreign>{finding.summary}</Foreign>
        </Text>
      )}
      <VerdictCard finding={finding} />
      <PatchedBySbom finding={finding} />
      <NextStep finding={finding} />
      <ExploitedEntries finding={finding} />
      <VendorWords statements={finding.vendorStatements} />
      <section aria-label="Records" className={styles['records']}>
        {finding.records.map((record) => (
          <RecordEvidence key={record.recordId} record={record} version={finding.identity.version} />
        ))}
        {finding.unaffectedRecords.length === 0 ? null : (
          <Text c="dimmed">
            These records of the same vulnerability do not include this version:{' '}
            <Foreign>{finding.unaffectedRecords.join(', ')}</Foreign>.
          </Text>
        )}
      </section>
      <AffectedComponents components={finding.components} isByCpe={finding.identity.basis === 'cpe'} />
      <Identification identity={finding.identity} />
    </Stack>
  )
}

function Sentence({ finding }: { finding: FindingDetail }): ReactNode {
  const sentence = finding.records[0]?.sentence
  return (
    <p className={styles['sentence']}>
      <Foreign>
        {sentence ?? `${finding.title} affects ${finding.identity.packageName ?? 'a component'}.`}
      </Foreign>
    </p>
  )
}

function Marks({ finding }: { finding: FindingDetail }): ReactNode {
  return (
    <div className={styles['marks']}>
      {isMalware(finding) ? <MalwareMark /> : null}
      {finding.exploitedBy.length === 0 ? null : <ExploitedChips catalogues={finding.exploitedBy} />}
      <SeverityMark severity={finding.severity} score={finding.score} />
      <span className="dimmed">
        {finding.severitySource === null ? 'scored by no source' : `scored by ${finding.severitySource}`}
      </span>
      <GradeMark grade={finding.grade} />
      {finding.class === 'informational' ? (
        <Chip tone="warn" Icon={IconInfoCircle}>
          {finding.class}
        </Chip>
      ) : null}
      <span className="dimmed">
        first seen <Age at={finding.firstSeenAt} />
      </span>
      {finding.closedAt === null ? null : (
        <Chip tone="good" Icon={IconCircleCheckFilled}>
          closed <Moment at={finding.closedAt} />
        </Chip>
      )}
      {finding.gradeReason === null ? null : (
        <p className={styles['reason']}>
          <Foreign>{finding.gradeReason}</Foreign>
        </p>
      )}
      {finding.disputed ? (
        <p className={styles['reason']}>The records of this vulnerability disagree about this version.</p>
      ) : null}
    </div>
  )
}

function NextStep({ finding }: { finding: FindingDetail }): ReactNode {
  if (isMalware(finding)) return <RemoveIt />
  return (
    <div className={styles['next']}>
      <IconTool size={18} aria-hidden />
      {finding.fixedIn === null ? (
        <span>No record names a fixed version.</span>
      ) : (
        <span>
          Fixed in{' '}
          <strong>
            <Foreign>{finding.fixedIn}</Foreign>
          </strong>
          : update to it or later, then upload the new SBOM.
        </span>
      )}
    </div>
  )
}

/** There is no version of malware to update to, whatever its records call fixed. */
function RemoveIt(): ReactNode {
  return (
    <div className={styles['next']}>
      <IconTrash size={18} aria-hidden />
      <span>
        <strong>Remove it</strong> and what it has installed, treat every secret it could reach as known to
        others, then upload the new SBOM.
      </span>
    </div>
  )
}
