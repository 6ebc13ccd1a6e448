import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { incidentPeopleQuery } from './queries.ts'
import { Unread } from '../kit/page/Loaded.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type Props = { value?: string; onChange?: (person: string) => void; name?: string }

/** One of the members who may work on incidents, or nobody (empty string). */
export function AssigneeField({ value, onChange, name }: Props): ReactNode {
  const { slug } = useWorkspace()
  const people = useQuery(incidentPeopleQuery(slug))
  return (
    <>
      <Unread query={people} />
      <NativeSelect
        label="Assignee"
        name={name}
        value={value ?? ''}
        data={[
          { value: '', label: 'Nobody' },
          ...(people.data ?? []).map((person) => ({ value: person.id, label: visibleText(person.name) })),
        ]}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
    </>
  )
}
