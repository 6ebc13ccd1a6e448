import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatZoned } from '../text/format.ts'
import { instantOf } from '../time/local-time.ts'

type Props = Omit<TextInputProps, 'type' | 'value' | 'onChange'> & {
  label: string
  timeZone: string
  /** As a date and time of the zone, `2026-11-02T09:00:00`; empty: none. */
  value?: string
  onChange?: (value: string) => void
}

/** A date and time in the workspace's zone; the UTC time that authorities ask for is shown below. */
export function TimeField({ timeZone, value = '', onChange, description, ...input }: Props): ReactNode {
  const at = instantOf(value, timeZone)
  return (
    <TextInput
      {...input}
      type="datetime-local"
      step={1}
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      description={
        <>
          {description === undefined ? null : <>{description} </>}
          {at === undefined
            ? `In the time zone ${timeZone}.`
            : [...new Set([formatZoned(at, timeZone), formatZoned(at, 'UTC')])].join(' · ')}
        </>
      }
    />
  )
}
