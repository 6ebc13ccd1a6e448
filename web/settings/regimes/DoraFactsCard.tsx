import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { doraFactList, type DoraFactId, type DoraFacts } from '#contract/incidents/dora-facts.ts'
import { Card } from '../../kit/page/Card.tsx'

/** Empty string: unknown. */
export type TypedDoraFacts = Record<DoraFactId, string>

type Props = { getInputProps: (field: `doraFacts.${DoraFactId}`) => object }

/** Facts of a financial entity for every report under DORA. */
export function DoraFactsCard({ getInputProps }: Props): ReactNode {
  return (
    <Card title="Facts of the financial entity" aside={<span className="dimmed">DORA</span>}>
      <Stack gap="sm">
        <Text>
          Every report asks for them at every stage (Delegated Regulation (EU) 2025/301, Art. 1). Every draft
          begins with them.
        </Text>
        {doraFactList.map(({ id, label, help, maxCharacters }) => {
          const field = {
            ...getInputProps(`doraFacts.${id}`),
            label,
            description: help,
          }
          return maxCharacters > 300 ? (
            <Textarea key={id} {...field} autosize minRows={1} maxRows={8} />
          ) : (
            <TextInput
              key={id}
              {...field}
              maxLength={maxCharacters}
              {...(maxCharacters < 100 ? { maw: 420 } : {})}
            />
          )
        })}
      </Stack>
    </Card>
  )
}

export function typedDoraFacts(facts: DoraFacts): TypedDoraFacts {
  const typed = doraFactList.map(({ id }) => [id, facts[id] ?? ''] as const)
  return Object.fromEntries(typed) as TypedDoraFacts
}
