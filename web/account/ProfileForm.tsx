import { Select, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import { changeProfile, type Profile } from '#contract/people/operations/profile.ts'
import { call } from '../kit/api/call.ts'
import { sessionQuery } from '../sign-in/session-query.ts'
import { useSend } from '../kit/api/use-send.ts'
import { Form } from '../kit/form/Form.tsx'
import { ownTimeZone, timeZones } from '../kit/time/time-zones.ts'
import { useSendForm } from '../kit/form/use-send-form.ts'

/** Stands for "no zone of their own": the open workspace's zone applies. */
const ofWorkspace = ''

/** A person's name, and the time zone in which they see times. */
export function ProfileForm({ person }: { person: Session['person'] }): ReactNode {
  const id = useId()
  const queryClient = useQueryClient()
  const form = useSendForm({
    initialValues: { name: person.name, timeZone: person.timeZone ?? ofWorkspace },
    follows: true,
    inputOf: ({ name, timeZone }): Profile => ({
      name: name.trim(),
      timeZone: timeZone === ofWorkspace ? null : timeZone,
    }),
    send: useSend({
      send: (body: Profile) => call(changeProfile, { body }),
      onSuccess: (session) => {
        queryClient.setQueryData(sessionQuery.queryKey, session)
        notifications.show({
          message: 'Your profile has been saved.',
          color: 'green.9',
          withBorder: true,
        })
      },
    }),
  })
  const zones = timeZones(person.timeZone ?? ownTimeZone()).map((zone) => ({ value: zone, label: zone }))
  return (
    <Form state={form.state} verb="Save" labelledBy={id}>
      <Title order={2} size="h3" id={id}>
        Profile
      </Title>
      <TextInput {...form.getInputProps('name')} label="Name" autoComplete="name" required />
      <Select
        {...form.getInputProps('timeZone')}
        label="Time zone"
        description="Times are shown to you in this zone. Deadlines, incidents and the audit trail keep the zone of the workspace."
        data={[{ value: ofWorkspace, label: 'That of the workspace' }, ...zones]}
        searchable
        allowDeselect={false}
      />
    </Form>
  )
}
