import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { InboxReport } from '#contract/disclosure/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { linkReportToIncident } from '#contract/disclosure/operations.ts'
import { Unread } from '../kit/page/Loaded.tsx'
import { call } from '../kit/api/call.ts'
import { foundIncidentsQuery } from '../incidents/queries.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'

type Props = { report: InboxReport; onClose: () => void }
type Typed = { incident: string }

const pauseMs = 250

/** Links the report to an incident. */
export function LinkToIncident({ report, onClose }: Props): ReactNode {
  const { slug } = useWorkspace()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, pauseMs)
  const found = useQuery(foundIncidentsQuery(slug, asked))
  const form = useSendForm<Typed, Typed>({
    initialValues: { incident: '' },
    validate: ({ incident }) => (incident === '' ? { incident: 'Choose an incident.' } : {}),
    inputOf: (typed) => typed,
    send: useAct({
      slug,
      send: (body: Typed) =>
        call(linkReportToIncident, { params: { slug, number: String(report.number) }, body }),
      done: () => `Report #${report.number} is linked to the incident.`,
      closes: onClose,
    }),
  })
  const linked = new Set(report.incidents.map(({ id }) => id))
  return (
    <Form state={form.state} verb="Link" onCancel={onClose}>
      <Unread query={found} />
      <Select
        {...form.getInputProps('incident')}
        label="Incident"
        description="By its reference, its title or its vulnerability."
        data={(found.data?.rows ?? [])
          .filter(({ id }) => !linked.has(id))
          .map(({ id, reference, title }) => ({ value: id, label: visibleText(`${reference} ${title}`) }))}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        filter={({ options }) => options}
        nothingFoundMessage={
          found.isSuccess && asked === search
            ? 'No open incident matches.'
            : found.isError
              ? 'The incidents could not be read.'
              : 'Searching…'
        }
        required
      />
    </Form>
  )
}
