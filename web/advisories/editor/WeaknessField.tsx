import { visibleText } from '#contract/hidden-characters.ts'
import { Autocomplete, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { weaknessesQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { UnreadChoices } from '../../kit/form/UnreadChoices.tsx'
import { fieldId, useProblem } from './fields.ts'

type Props = { field: string; value: string; onChange: (cwe: string) => void }

/** The CWE of a vulnerability: searched by number or name, stored by id. */
export function WeaknessField({ field, value, onChange }: Props): ReactNode {
  const { slug } = useWorkspace()
  const asked = useQuery(weaknessesQuery(slug))
  const weaknesses = asked.data ?? []
  const problem = useProblem(field)
  const name = weaknesses.find(({ id }) => id === value.trim())?.name
  return (
    <div>
      <Autocomplete
        id={fieldId(field)}
        label="Weakness (CWE)"
        description="By number or by name"
        error={problem}
        limit={40}
        placeholder="CWE-79"
        value={value}
        data={weaknesses.map(({ id, name: words }) => `${id}: ${visibleText(words)}`)}
        onChange={(text) => {
          onChange(/^(CWE-\d+): /.exec(text)?.[1] ?? text)
        }}
      />
      {name === undefined ? null : (
        <Text size="xs" c="dimmed" mt={4}>
          {visibleText(name)}
        </Text>
      )}
      <UnreadChoices query={asked} choices="names of weaknesses" />
    </div>
  )
}
