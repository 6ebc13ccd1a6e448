import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  alertTypes,
  destinationKinds,
  destinationLimits,
  type AlertType,
  type DestinationKind,
  type NewDestination,
} from '#contract/alerts/shapes.ts'
import { addDestination } from '#contract/alerts/operations.ts'
import { call } from '../../../kit/api/call.ts'
import { useAct } from '../../../kit/api/use-act.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { ChoiceField } from '../../../kit/form/ChoiceField.tsx'
import { Form } from '../../../kit/form/Form.tsx'
import { useSendForm } from '../../../kit/form/use-send-form.ts'
import { EventsField, eventsError } from '../EventsField.tsx'
import { kindNames } from '../words.ts'
import { KindHelp } from './KindHelp.tsx'
import { UrlField } from './UrlField.tsx'

type Props = { onAdded: (added: NewDestination) => void; onCancel: () => void }

type Typed = { kind: DestinationKind; url: string; name: string; events: AlertType[] }

const kindMeans: Record<DestinationKind, string> = {
  chat_a: 'A message in a channel, or a workflow of your own.',
  chat_b: 'A card in a channel or chat.',
  webhook: 'A signed POST to your own endpoint.',
}

export function AddDestinationForm({ onAdded, onCancel }: Props): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm<Typed, Typed>({
    initialValues: { kind: 'chat_a', url: '', name: '', events: [...alertTypes] },
    validate: ({ events }) => eventsError(events),
    inputOf: ({ url, name, ...chosen }) => ({ ...chosen, url: url.trim(), name: name.trim() }),
    send: useAct({
      slug,
      final: true,
      send: (body: Typed) => call(addDestination, { params: { slug }, body }),
      onDone: onAdded,
    }),
  })
  const { kind } = form.values
  return (
    <Form state={form.state} verb="Add destination" onCancel={onCancel}>
      <ChoiceField
        {...form.getInputProps('kind')}
        label="Where to"
        takesFocus
        choices={destinationKinds.map((value) => ({
          value,
          label: kindNames[value],
          description: kindMeans[value],
        }))}
      />
      <KindHelp kind={kind} />
      <UrlField {...form.getInputProps('url')} kind={kind} />
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        placeholder="Such as the name of the channel"
        required
        maxLength={destinationLimits.nameCharacters}
      />
      <EventsField {...form.getInputProps('events')} />
    </Form>
  )
}
