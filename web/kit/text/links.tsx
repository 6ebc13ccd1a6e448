import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'

type AnchorAttributes = Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  keyof ButtonProps | keyof AnchorProps
> & {
  ref?: Ref<HTMLAnchorElement>
}

/** A link to a page of this application inside text. */
export const TextLink = createLink((props: Omit<AnchorProps, 'href'> & AnchorAttributes): ReactNode => (
  <Anchor inherit {...props} />
))

/** A link to a page of this application that looks like a button. */
export const ButtonLink = createLink((props: Omit<ButtonProps, 'href'> & AnchorAttributes): ReactNode => (
  <Button component="a" {...props} />
))
