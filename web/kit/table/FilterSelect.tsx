import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'

type Props<Value extends string> = {
  /** Accessible name. */
  label: string
  /** The words of the first choice, which stands for `undefined`. */
  unset: string
  value: Value | undefined
  choices: readonly { value: Value; label: string }[]
  onChoose: (value: Value | undefined) => void
}

/** Filters a list by one of a few values. */
export function FilterSelect<Value extends string>(props: Props<Value>): ReactNode {
  const { label, unset, value, choices, onChoose } = props
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value ?? ''}
      data={[{ value: '', label: unset }, ...choices]}
      onChange={({ currentTarget }) => {
        onChoose(choices.find((choice) => choice.value === currentTarget.value)?.value)
      }}
    />
  )
}
