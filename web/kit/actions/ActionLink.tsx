import type { ButtonProps } from '@mantine/core'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonLink } from '../text/links.tsx'
import { RefusedButton, type Refusal } from './ActionButton.tsx'

type Props = Omit<ButtonProps, 'disabled' | 'type'> & {
  link: LinkOptions
  /** Why the member may not do what the page is for; the button stays visible, leads nowhere and says so. */
  refused: Refusal
  children: ReactNode
}

/** A button that leads to the page on which something is done. */
export function ActionLink({ link, refused, children, ...button }: Props): ReactNode {
  if (refused !== undefined) {
    return (
      <RefusedButton {...button} reason={refused}>
        {children}
      </RefusedButton>
    )
  }
  return (
    <ButtonLink {...link} {...button}>
      {children}
    </ButtonLink>
  )
}
