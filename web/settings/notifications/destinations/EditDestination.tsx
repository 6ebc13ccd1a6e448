import { TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { destinationLimits, type AlertType, type DestinationRow } from '#contract/alerts/shapes.ts'
import { changeDestination, listDestinations } from '#contract/alerts/operations.ts'
import { refusal } from '../../../workspaces/access.ts'
import { call } from '../../../kit/api/call.ts'
import { useAct } from '../../../kit/api/use-act.ts'
import { useLatest } from '../../../kit/api/use-latest.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { ActionButton } from '../../../kit/actions/ActionButton.tsx'
import { Form } from '../../../kit/form/Form.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useSendForm } from '../../../kit/form/use-send-form.ts'
import { EventsField, eventsError } from '../EventsField.tsx'

type Props = { destination: DestinationRow }

/** Its name and events. The URL cannot be changed: for a new URL, add a destination. */
export function EditDestination({ destination }: Props): ReactNode {
  const workspace = useWorkspace()
  const [isOpen, editing] = useDisclosure(false)
  return (
    <>
      <ActionButton
        variant="default"
        refused={refusal(workspace, changeDestination.permission)}
        onClick={editing.open}
      >
        Edit
      </ActionButton>
      <FormModal opened={isOpen} onClose={editing.close} title={`Edit ${destination.name}`}>
        <EditForm destination={destination} onClose={editing.close} />
      </FormModal>
    </>
  )
}

type Typed = { name: string; events: AlertType[] }

const typedOf = ({ name, events }: Typed): Typed => ({ name, events })

function EditForm({ destination, onClose }: Props & { onClose: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const { id } = destination
  const form = useSendForm<Typed, Typed>({
    initialValues: typedOf(destination),
    latest: useLatest(listDestinations, { params: { slug } }, ({ destinations }) =>
      typedOf(destinations.find((one) => one.id === id) ?? destination),
    ),
    validate: (typed) => eventsError(typed.events),
    inputOf: (typed) => ({ ...typed, name: typed.name.trim() }),
    send: useAct({
      slug,
      send: (body: Typed) => call(changeDestination, { params: { slug, destination: id }, body }),
      done: () => 'The destination is changed.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Save" onCancel={onClose}>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        required
        maxLength={destinationLimits.nameCharacters}
        data-autofocus
      />
      <EventsField {...form.getInputProps('events')} />
    </Form>
  )
}
