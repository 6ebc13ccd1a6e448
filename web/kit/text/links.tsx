import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'

type AnchorAttributes = Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  keyof ButtonProps | keyof AnchorProps
> & {
  ref?: Ref<HTMLAnchorElement>
}

type Current = { 'aria-current'?: unknown }

/** A link to a page of this application inside text. A page above the open one is not the current page, which only navigation tells. */
export const TextLink = createLink(
  ({
    'aria-current': _current,
    ...props
  }: Omit<AnchorProps, 'href'> & AnchorAttributes & Current): ReactNode => <Anchor inherit {...props} />,
)

/** A link to a page of this application that looks like a button. */
export const ButtonLink = createLink(
  ({
    'aria-current': _current,
    ...props
  }: Omit<ButtonProps, 'href'> & AnchorAttributes & Current): ReactNode => (
    <Button component="a" {...props} />
  ),
)
