import type { ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { type Refusal, ActionButton } from '../../kit/actions/ActionButton.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'

type Props = Pick<ButtonProps, 'size' | 'variant' | 'color'> & {
  /** The button label. */
  verb: string
  /** Title of the dialog; the label by default. */
  title?: string
  refused?: Refusal
  /** The form; `close` closes the dialog. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog with a form. */
export function DialogButton({ verb, title = verb, refused, children, ...look }: Props): ReactNode {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <ActionButton {...look} refused={refused} onClick={dialog.open}>
        {verb}
      </ActionButton>
      <FormModal opened={isOpen} onClose={dialog.close} title={title} size={600}>
        {children(dialog.close)}
      </FormModal>
    </>
  )
}
