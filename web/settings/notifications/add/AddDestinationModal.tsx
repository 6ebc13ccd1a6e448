import { useState, type ReactNode } from 'react'
import type { NewDestination } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { AddDestinationForm } from './AddDestinationForm.tsx'
import { AddedDestination } from './AddedDestination.tsx'

type Props = { opened: boolean; onClose: () => void }

/** Asks for the URL, then shows the secret of a webhook once and offers a test. */
export function AddDestinationModal({ opened, onClose }: Props): ReactNode {
  const [added, setAdded] = useState<NewDestination | undefined>(undefined)

  function close(): void {
    setAdded(undefined)
    onClose()
  }

  return (
    <FormModal
      opened={opened}
      onClose={close}
      size={600}
      title={titleOf(added)}
      locked={added?.secret !== undefined}
    >
      {added === undefined ? (
        <AddDestinationForm onAdded={setAdded} onCancel={close} />
      ) : (
        <AddedDestination added={added} onDone={close} />
      )}
    </FormModal>
  )
}

function titleOf(added: NewDestination | undefined): string {
  if (added === undefined) return 'Add a destination'
  return added.secret === undefined ? visibleText(`${added.name} is added`) : 'Copy the signing secret now'
}
