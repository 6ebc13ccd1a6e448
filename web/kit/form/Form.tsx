import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Problem } from '../page/Problem.tsx'
import { FormFooter, type FooterProps } from './FormFooter.tsx'
import type { FormState } from './use-send-form.ts'

type Props = FooterProps & {
  /** `state` of `useSendForm`. */
  state: FormState
  /** The id of its heading, on a page with several forms. */
  labelledBy?: string
  /** The form shows problems of its fields itself, instead of the browser. */
  noValidate?: boolean
  children: ReactNode
}

/** A form with its refusal above the fields and its buttons below. */
export function Form({
  state,
  labelledBy,
  noValidate = false,
  children,
  onCancel,
  ...footer
}: Props): ReactNode {
  const { submit, isSending, refusal, giveUp } = state
  const cancel = () => {
    giveUp?.()
    onCancel?.()
  }
  return (
    <form onSubmit={submit} noValidate={noValidate} aria-labelledby={labelledBy} aria-busy={isSending}>
      <Stack gap="md">
        {refusal === undefined ? null : <Problem error={refusal.error} fields={refusal.unshown} />}
        {children}
        <FormFooter {...footer} onCancel={onCancel && cancel} isSending={isSending} />
      </Stack>
    </form>
  )
}
