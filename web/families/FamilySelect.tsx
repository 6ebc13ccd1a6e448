import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { familyNamesQuery } from './queries.ts'
import { UnreadChoices } from '../kit/form/UnreadChoices.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type Props = {
  /** Id of the chosen family; undefined: all. */
  chosen: string | undefined
  /** The family shown, in case it is archived and therefore not listed. */
  shown?: { id: string; name: string } | null
  onChoose: (family: string | undefined) => void
}

/** Narrows a page to one product family. */
export function FamilySelect({ chosen, shown = null, onChoose }: Props): ReactNode {
  const { slug } = useWorkspace()
  const asked = useQuery(familyNamesQuery(slug))
  const named = asked.data ?? []
  const families = shown === null || named.some(({ id }) => id === shown.id) ? named : [shown, ...named]
  return (
    <>
      <NativeSelect
        size="xs"
        maw={260}
        aria-label="Product family"
        value={chosen ?? ''}
        data={[
          { value: '', label: 'All families' },
          ...families.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          onChoose(value === '' ? undefined : value)
        }}
      />
      <UnreadChoices query={asked} choices="families" />
    </>
  )
}
