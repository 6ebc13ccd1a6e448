import { useForm, type UseFormReturnType } from '@mantine/form'
import { useId, type SubmitEvent } from 'react'
import type { Send } from '../api/use-send.ts'
import { ChangedMeanwhile, changedMeanwhile } from './changed-meanwhile.ts'
import { mergeUntouched } from './merge-untouched.ts'
import { setChanged, useFollowing } from './use-following.ts'
import { useUnsentFields } from './use-unsent-fields.ts'
import { fieldErrors, formRefusal, type FieldErrors, type FormRefusal } from './field-errors.ts'

type Options<Values, Input> = {
  /** Field names are those of the request body, so that a refusal finds its field. */
  initialValues: Values
  /** Checks before sending; the service checks again. */
  validate?: (values: Values) => FieldErrors
  /** What to send; undefined if `validate` has found a problem. `stored`: the service's values, for a form that sends changes only. */
  inputOf: (values: Values, stored: Values) => Input | undefined
  /** From `useSend` or `useAct`, which ignore repeated clicks. */
  send: Send<Input>
  /** Problems by field in a refusal, beyond the service's `fields`. */
  errorsOf?: (error: unknown, values: Values) => FieldErrors
  /** The form is cleared after sending but stays open; text typed since is kept. */
  clears?: boolean
  /** `initialValues` come from the service: untouched fields follow them. */
  follows?: boolean
  /**
   * Fetches the service's values at the moment of sending, for a form that changes what is stored: other people's changes are not reverted,
   * nor replaced before one has read them. Such a form needs `follows`.
   */
  latest?: () => Promise<Values>
}

/** What the `Form` component needs to know. */
export type FormState = {
  submit: (event: SubmitEvent<HTMLFormElement>) => void
  isSending: boolean
  refusal: FormRefusal | undefined
  /** Discards what was typed. */
  giveUp?: () => void
}

/** The fields (`getInputProps`, `values`, `setFieldValue`) and the state of the form. */
export type SendForm<Values> = UseFormReturnType<Values> & { state: FormState }

/** A form sent to the service: refused fields show why, and the first of them gets the focus. */
export function useSendForm<Values extends Record<string, unknown>, Input>(
  options: Options<Values, Input>,
): SendForm<Values> {
  const { initialValues, validate = () => ({}), inputOf, send, errorsOf = fieldErrors } = options
  const { clears = false, latest, follows = latest !== undefined } = options
  // A page may have two forms with a field of the same name.
  const name = useId().replaceAll(/[^a-z0-9]+/gi, '-')
  const fields = useForm<Values>({
    name,
    mode: 'controlled',
    initialValues,
    validate,
    // Browsers and password managers identify a field by it.
    enhanceGetInputProps: ({ field }: { field: string }) => ({ name: field }),
  })

  const following = useFollowing<Values>(fields, initialValues, follows)

  /** Keeps text typed since. */
  function settle(sent: Values): void {
    if (clears)
      setChanged(fields, mergeUntouched({ before: sent, now: initialValues, typed: fields.getValues() }))
    following.note(clears ? initialValues : sent)
  }

  const submit = fields.onSubmit(
    (values) => {
      let sent = values
      const after = {
        onError: (error: Error) => {
          refuse(fields, errorsOf(error, values))
        },
        onSuccess: () => {
          settle(sent)
        },
      }
      const before = following.before()
      const input = inputOf(values, before)
      if (input === undefined) return
      if (latest === undefined) send.mutate(input, after)
      else {
        const find = async () => {
          const three = { before, now: await latest(), typed: values }
          const told = changedMeanwhile(three, fields.getInputNode)
          if (Object.keys(told).length > 0) throw new ChangedMeanwhile(told)
          sent = mergeUntouched(three)
          return inputOf(sent, three.now) ?? input
        }
        send.mutateLater(find, after)
      }
    },
    (_errors, values) => {
      refuse(fields, validate(values))
    },
  )
  const giveUp = useUnsentFields<Values>(fields, following, send.isPending)
  const refusal = formRefusal(send.error, errorsOf(send.error, fields.values), Object.keys(fields.values))
  return { ...fields, state: { submit, isSending: send.isPending, refusal, giveUp } }
}

type Refusing = Pick<UseFormReturnType<never>, 'setErrors' | 'getInputNode'>

/** Shows the problems and focuses the first. */
function refuse(fields: Refusing, errors: FieldErrors): void {
  fields.setErrors(errors)
  const [first] = Object.keys(errors)
  if (first !== undefined) focus(fields.getInputNode(first))
}

/** Focuses the field itself, or the first option of a group. */
function focus(node: HTMLElement | null): void {
  const focusable = 'input:not([type=hidden]), select, textarea'
  const target = node?.matches(focusable) === true ? node : node?.querySelector<HTMLElement>(focusable)
  target?.focus()
}
