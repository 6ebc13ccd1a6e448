import { Checkbox, Stack, TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatZoned } from '../text/format.ts'
import {
  afterTyping,
  instantOf,
  isSecondTime,
  isSkipped,
  secondTime,
  shownInInput,
  timesOf,
} from '../time/local-time.ts'

type Props = Omit<TextInputProps, 'type' | 'value' | 'onChange'> & {
  label: string
  timeZone: string
  /** As a date and time of the zone, `2026-11-02T09:00:00`; empty: none. */
  value?: string
  onChange?: (value: string) => void
}

/**
 * A date and time in the workspace's zone; the UTC time that authorities ask for is shown below. In the hour that comes twice when the clocks go
 * back, which of the two is asked.
 */
export function TimeField({ timeZone, value = '', onChange, description, ...input }: Props): ReactNode {
  const at = instantOf(value, timeZone)
  const [, later] = timesOf(value, timeZone)
  return (
    <Stack gap={6}>
      <TextInput
        {...input}
        type="datetime-local"
        step={1}
        value={shownInInput(value)}
        onChange={({ currentTarget }) =>
          onChange?.(afterTyping(currentTarget.value, { before: value, timeZone }))
        }
        description={
          <>
            {description === undefined ? null : <>{description} </>}
            {isSkipped(value, timeZone)
              ? 'No clock showed this time: they went forward past it. It counts as '
              : null}
            {at === undefined
              ? `In the time zone ${timeZone}.`
              : [...new Set([formatZoned(at, timeZone), formatZoned(at, 'UTC')])].join(' · ')}
          </>
        }
      />
      {later === undefined ? null : (
        <Checkbox
          label={`After the clocks went back: ${formatZoned(later, timeZone)}`}
          description="This time comes twice on that day."
          checked={isSecondTime(value)}
          onChange={({ currentTarget }) =>
            onChange?.(currentTarget.checked ? secondTime(value) : shownInInput(value))
          }
        />
      )}
    </Stack>
  )
}
