import { Button, Menu, VisuallyHidden, type ButtonProps, type MenuItemProps } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useId, type MouseEvent, type ReactNode } from 'react'
import { RefusalTip } from './RefusalTip.tsx'

/** Why an act is refused, shown on the disabled button; undefined when it is allowed. */
export type Refusal = string | undefined

export type ActionButtonProps = Omit<ButtonProps, 'disabled' | 'type'> & {
  /** Where several buttons of a page have the same words: those, and what tells them apart. */
  'aria-label'?: string
  /** Why the member may not act; the button stays visible and shows it. */
  refused?: Refusal
  onClick: () => void
  children: ReactNode
}

/** A button labelled with a verb. */
export function ActionButton({ refused, onClick, children, ...button }: ActionButtonProps): ReactNode {
  if (refused !== undefined) {
    return (
      <RefusedButton {...button} reason={refused}>
        {children}
      </RefusedButton>
    )
  }
  return (
    <Button {...button} onClick={onClick}>
      {children}
    </Button>
  )
}

type RefusedProps = Omit<ActionButtonProps, 'refused' | 'onClick'> & { reason: string }

/** It stays in the tab order, so that everyone can read the reason. */
export function RefusedButton({ reason, children, ...button }: RefusedProps): ReactNode {
  const reasonId = useId()
  return (
    <>
      <RefusalTip reason={reason}>
        <Button {...button} data-disabled aria-disabled aria-describedby={reasonId} onClick={stop}>
          {children}
        </Button>
      </RefusalTip>
      <VisuallyHidden id={reasonId}>{reason}</VisuallyHidden>
    </>
  )
}

function stop(event: MouseEvent): void {
  event.preventDefault()
}

type ActionItemProps = Omit<MenuItemProps, 'disabled'> & {
  refused?: Refusal
  onClick: () => void
  children: ReactNode
}

/** A menu item; a refused one shows its reason below its name. */
export function ActionItem({ refused, onClick, children, ...item }: ActionItemProps): ReactNode {
  if (refused === undefined) {
    return (
      <Menu.Item {...item} onClick={onClick}>
        {children}
      </Menu.Item>
    )
  }
  return (
    <Menu.Item
      {...item}
      leftSection={<IconLock size={15} />}
      aria-disabled
      closeMenuOnClick={false}
      c="dimmed"
      onClick={stop}
    >
      {children}
      <small style={{ display: 'block', maxWidth: 240, whiteSpace: 'normal' }}>{refused}</small>
    </Menu.Item>
  )
}
