import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { Foreign } from '../text/Foreign.tsx'
import { useGuardedClose } from '../unsaved/use-guarded-close.tsx'
import { giveFocusBack, keepFocusWithin } from './keep-focus-within.ts'
import { useFocusBack } from './use-focus-back.ts'
import { useIsTopmost } from './use-is-topmost.ts'

type Props = {
  opened: boolean
  onClose: () => void
  /** What is done, naming the thing: "Rename Pump" */
  title: string
  size?: number
  /** Only its own button closes it. */
  locked?: boolean
  /** A form; it starts fresh each time the dialog opens. */
  children: ReactNode
}

/** A dialog with a form. A key press or a click outside does not lose what was typed. */
export function FormModal({ title, locked = false, opened, onClose, children, ...modal }: Props): ReactNode {
  const { close, guard } = useGuardedClose(opened, onClose)
  useFocusBack(opened)
  const isTopmost = useIsTopmost(opened)
  return (
    <Modal
      {...modal}
      opened={opened}
      onClose={close}
      title={<Foreign>{title}</Foreign>}
      closeOnClickOutside={!locked}
      closeOnEscape={!locked && isTopmost}
      withCloseButton={!locked}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div ref={giveFocusBack}>
        <div ref={keepFocusWithin}>{guard(children)}</div>
      </div>
    </Modal>
  )
}
