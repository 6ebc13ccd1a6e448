import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { giveFocusBack } from '../form/keep-focus-within.ts'
import { useFocusBack } from '../form/use-focus-back.ts'
import { useIsTopmost } from '../form/use-is-topmost.ts'
import { Foreign } from '../text/Foreign.tsx'
import { useGuardedClose } from '../unsaved/use-guarded-close.tsx'

type Props = { title: ReactNode; opened: boolean; onClose: () => void; children: ReactNode }

/** The detail of a row beside its table; Esc closes it and returns the focus. */
export function DetailDrawer({ title, opened, onClose, children }: Props): ReactNode {
  const { close, guard } = useGuardedClose(opened, onClose)
  useFocusBack(opened)
  const isTopmost = useIsTopmost(opened)
  return (
    <Drawer
      opened={opened}
      onClose={close}
      closeOnEscape={isTopmost}
      title={typeof title === 'string' ? <Foreign>{title}</Foreign> : title}
      size={560}
      padding="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div ref={giveFocusBack}>{guard(children)}</div>
    </Drawer>
  )
}
