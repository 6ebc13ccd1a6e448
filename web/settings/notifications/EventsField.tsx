import { Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { alertTypes, type AlertType } from '#contract/alerts/shapes.ts'
import { eventWords } from './words.ts'

type Props = {
  value?: AlertType[]
  onChange: (events: AlertType[]) => void
  error?: ReactNode
  'data-path'?: string
}

/** The events sent to a destination, each explained. */
export function EventsField({ onChange, ...group }: Props): ReactNode {
  return (
    <Checkbox.Group
      {...group}
      label="Events"
      onChange={(chosen) => {
        onChange(alertTypes.filter((type) => chosen.includes(type)))
      }}
    >
      <Stack gap="xs" mt={6} {...(group.error === undefined ? {} : { mb: 6 })}>
        {alertTypes.map((type) => (
          <Checkbox
            key={type}
            value={type}
            label={eventWords[type].name}
            description={eventWords[type].means}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

/** The service would use the words of its API. */
export function eventsError(events: readonly AlertType[]): { events?: string } {
  return events.length === 0 ? { events: 'Choose at least one event.' } : {}
}
