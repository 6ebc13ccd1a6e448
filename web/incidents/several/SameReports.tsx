import { Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SameReport } from '#contract/incidents/waiting.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'

type Props = {
  label: string
  description: string
  reports: readonly SameReport[]
  /** Text below the name of each. */
  aboutOf: (report: SameReport) => ReactNode
  value?: string[]
  defaultValue?: string[]
  onChange?: (value: string[]) => void
  error?: ReactNode
}

/** Checkboxes for other incidents, each with its families; nothing where there are none. */
export function SameReports({ reports, aboutOf, ...group }: Props): ReactNode {
  if (reports.length === 0) return null
  return (
    <Checkbox.Group {...group}>
      <Stack gap={8} mt={8}>
        {reports.map((report) => (
          <Checkbox
            key={report.id}
            value={report.incident.id}
            label={
              <>
                {report.incident.reference}{' '}
                <span className="dimmed">
                  <Foreign>{report.families.join(', ')}</Foreign>
                </span>
              </>
            }
            description={aboutOf(report)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

/** When the report of an incident is due. */
export function dueOf({ dueAt, submittedAt, status }: SameReport): ReactNode {
  if (submittedAt !== null) {
    return (
      <>
        submitted <ZonedTime at={submittedAt} />
      </>
    )
  }
  if (dueAt === null) return 'not due yet'
  return (
    <>
      {status === 'overdue' ? 'overdue since' : 'due'} <ZonedTime at={dueAt} />
    </>
  )
}
