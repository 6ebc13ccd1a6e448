import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { Foreign } from '../text/Foreign.tsx'

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

/** A dialog that asks for something. */
export function FormModal({ title, locked = false, ...modal }: Props): ReactNode {
  return (
    <Modal
      {...modal}
      title={<Foreign>{title}</Foreign>}
      closeOnClickOutside={!locked}
      closeOnEscape={!locked}
      withCloseButton={!locked}
      closeButtonProps={{ 'aria-label': 'Close' }}
    />
  )
}
