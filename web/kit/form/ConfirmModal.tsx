import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Foreign } from '../text/Foreign.tsx'
import { Form } from './Form.tsx'
import { FormModal } from './FormModal.tsx'
import { formRefusal, fieldErrors } from './field-errors.ts'

export type Question = {
  /** Names the thing: "Revoke the token ci-main?" */
  title: string
  /** What stops, and whether it can be undone. */
  consequence: ReactNode
  /** The verb of the button. */
  verb: string
  /** Red: cannot be undone. */
  final?: boolean
}

export type Confirmation = {
  opened: boolean
  onClose: () => void
  isRunning: boolean
  error: unknown
  onConfirm: () => void
}

/** Asks for confirmation before stopping something. The safe button has the focus. */
export function ConfirmModal(props: Question & Confirmation): ReactNode {
  const { opened, onClose, title, consequence, verb, isRunning, error, onConfirm, final = false } = props
  const state = {
    isSending: isRunning,
    refusal: formRefusal(error, fieldErrors(error), []),
    submit: (event: { preventDefault: () => void }) => {
      event.preventDefault()
      // It can still be clicked while it fades out.
      if (opened) onConfirm()
    },
  }
  return (
    <FormModal opened={opened} onClose={onClose} title={title}>
      <Form state={state} verb={verb} final={final} onCancel={onClose} asks>
        <Text>{typeof consequence === 'string' ? <Foreign>{consequence}</Foreign> : consequence}</Text>
      </Form>
    </FormModal>
  )
}
