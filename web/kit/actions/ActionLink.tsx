import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonLink } from '../text/links.tsx'
import { RefusedButton, type ActionButtonProps, type Refusal } from './ActionButton.tsx'

type Props = Omit<ActionButtonProps, 'onClick' | 'refused'> & {
  link: LinkOptions
  /** Why the member may not do what the page is for; the button stays visible and shows it, but is not a link. */
  refused: Refusal
}

/** A button that links to the page where something is done. */
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
