import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export type FooterProps = {
  /** Label of the submit button. */
  verb: string
  icon?: ReactNode
  /** Set where the form can be cancelled. */
  onCancel?: (() => void) | undefined
  /** "Cancel" by default. */
  cancelVerb?: string
  /** Focuses the button that changes nothing when the form opens. */
  asks?: boolean
  /** Red: cannot be undone. */
  final?: boolean
  /** False until the form is complete. */
  ready?: boolean
  /** Escape pressed on a button does not reach the dialog beneath. */
  keepsEscape?: boolean
}

type Props = FooterProps & { isSending: boolean }

/** The buttons below a form: cancel and submit. A form that cannot be cancelled has one full-width button. */
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
