import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export type FooterProps = {
  /** The verb of the button that sends. */
  verb: string
  icon?: ReactNode
  /** Where the form can be left without sending it. */
  onCancel?: (() => void) | undefined
  /** "Cancel", unless leaving does more than that. */
  cancelVerb?: string
  /** The focus is on the button that changes nothing when the form opens. */
  asks?: boolean
  /** Red, for what cannot be undone. */
  final?: boolean
  /** False until the form is complete. */
  ready?: boolean
  /** Escape, pressed on a button, is not for the dialog beneath. */
  keepsEscape?: boolean
}

type Props = FooterProps & { isSending: boolean }

/** The buttons below a form: leave and send. A form that cannot be left has one button over its whole width. */
export function FormFooter(props: Props): ReactNode {
  const { verb, icon, onCancel, cancelVerb = 'Cancel', asks = false, final = false, ready = true } = props
  const keys = props.keepsEscape === true ? { 'data-mantine-stop-propagation': true } : {}
  return (
    <Group justify="flex-end" gap="xs" grow={onCancel === undefined}>
      {onCancel === undefined ? null : (
        <Button {...keys} variant="default" onClick={onCancel} {...(asks ? { 'data-autofocus': true } : {})}>
          {cancelVerb}
        </Button>
      )}
      <Button
        {...keys}
        type="submit"
        {...(final ? { color: 'red.9' } : {})}
        leftSection={icon}
        loading={props.isSending}
        disabled={!ready}
      >
        {verb}
      </Button>
    </Group>
  )
}
