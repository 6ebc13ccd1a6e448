import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { Foreign } from '../text/Foreign.tsx'

type Props = { title: ReactNode; opened: boolean; onClose: () => void; children: ReactNode }

/** The detail of a row beside its table; Esc closes it and gives the focus back. */
export function DetailDrawer({ title, opened, onClose, children }: Props): ReactNode {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={typeof title === 'string' ? <Foreign>{title}</Foreign> : title}
      size={560}
      padding="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Drawer>
  )
}
