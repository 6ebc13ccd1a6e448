import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { Foreign } from '../text/Foreign.tsx'
import { useGuardedClose } from '../unsaved/use-guarded-close.tsx'

type Props = {
  opened: boolean
  onClose: () => void
  /** What is done, naming the thing: "Rename Pump" */
  title: string
  size?: number
  /** It can be left by its own button only. */
  locked?: boolean
  /** A form; it begins afresh each time the dialog opens. */
  children: ReactNode
}

/** A dialog that asks for something. What is typed in it is not lost by a key or a click beside it. */
export function FormModal({ title, locked = false, opened, onClose, children, ...modal }: Props): ReactNode {
  const { close, guard } = useGuardedClose(opened, onClose)
  return (
    <Modal
      {...modal}
      opened={opened}
      onClose={close}
      title={<Foreign>{title}</Foreign>}
      closeOnClickOutside={!locked}
      closeOnEscape={!locked}
      withCloseButton={!locked}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {guard(children)}
    </Modal>
  )
}
