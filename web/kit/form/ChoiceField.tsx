import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

export type Choice<Value extends string> = {
  value: Value
  label: string
  description: string
  disabled?: boolean
}

type Props<Value extends string> = {
  label: string
  description?: string
  choices: readonly Choice<Value>[]
  /** It has the focus when its dialog opens. */
  takesFocus?: boolean
  /** One must be chosen; none is preselected. */
  withAsterisk?: boolean
  value?: Value | null
  onChange: (value: Value) => void
  error?: ReactNode
  'data-path'?: string
}

/** One of a few choices, each with what it means. */
export function ChoiceField<Value extends string>(props: Props<Value>): ReactNode {
  const { choices, onChange, takesFocus = false, ...group } = props
  return (
    <Radio.Group
      {...group}
      onChange={(chosen: string) => {
        const choice = choices.find(({ value }) => value === chosen)
        if (choice !== undefined) onChange(choice.value)
      }}
    >
      <Stack gap="xs" mt={6} {...(group.error === undefined ? {} : { mb: 6 })}>
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            {...choice}
            {...(takesFocus && choice.value === group.value ? { 'data-autofocus': true } : {})}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
