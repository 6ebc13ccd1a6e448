import { useForm, type UseFormReturnType } from '@mantine/form'
import { useId, type SubmitEvent } from 'react'
import type { Send } from '../api/use-send.ts'
import { mergeUntouched } from './merge-untouched.ts'
import { setChanged, useFollowing } from './use-following.ts'
import { useUnsentFields } from './use-unsent-fields.ts'
import { fieldErrors, formRefusal, type FieldErrors, type FormRefusal } from './field-errors.ts'

type Options<Values, Input> = {
  /** Fields have the names that they have in the body that is sent, so that a refusal finds its field. */
  initialValues: Values
  /** What can be said before anything is sent; the service judges it again. */
  validate?: (values: Values) => FieldErrors
  /** What to send; undefined where `validate` has said why it cannot be. */
  inputOf: (values: Values) => Input | undefined
  /** From `useSend` or `useAct`, which send once however often it is clicked. */
  send: Send<Input>
  /** What a refusal says of each field, where that is more than the service's `fields`. */
  errorsOf?: (error: unknown, values: Values) => FieldErrors
  /** The form stays after it was sent and is emptied, but for what has been typed since. */
  clears?: boolean
  /** `initialValues` are what the service has: fields that were not touched follow them. */
  follows?: boolean
  /**
   * Reads what the service has at the moment of sending, for a form that is sent whole: what somebody else has changed meanwhile is not
   * changed back. Such a form `follows`.
   */
  latest?: () => Promise<Values>
}

/** What the `Form` component needs to know. */
export type FormState = {
  submit: (event: SubmitEvent<HTMLFormElement>) => void
  isSending: boolean
  refusal: FormRefusal | undefined
  /** What is typed is no longer wanted. */
  giveUp?: () => void
}

/** The fields (`getInputProps`, `values`, `setFieldValue`) and the state of the form as a whole. */
export type SendForm<Values> = UseFormReturnType<Values> & { state: FormState }

/** A form of fields that is sent to the service: refused fields say why, the first of them has the focus. */
export function useSendForm<Values extends Record<string, unknown>, Input>(
  options: Options<Values, Input>,
): SendForm<Values> {
  const { initialValues, validate = () => ({}), inputOf, send, errorsOf = fieldErrors } = options
  const { clears = false, latest, follows = latest !== undefined } = options
  // Two forms with a field of the same name can be on one page.
  const name = useId().replaceAll(/[^a-z0-9]+/gi, '-')
  const fields = useForm<Values>({
    name,
    mode: 'controlled',
    initialValues,
    validate,
    // Browsers and password managers know a field by it.
    enhanceGetInputProps: ({ field }: { field: string }) => ({ name: field }),
  })

  const following = useFollowing<Values>(fields, initialValues, follows)

  /** What has been typed since stays. */
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
      const input = inputOf(values)
      if (input === undefined) return
      if (latest === undefined) send.mutate(input, after)
      else {
        const before = following.before()
        const find = async () => {
          sent = mergeUntouched({ before, now: await latest(), typed: values })
          return inputOf(sent) ?? input
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

/** Shows what is wrong, and leads to the first of it. */
function refuse(fields: Refusing, errors: FieldErrors): void {
  fields.setErrors(errors)
  const [first] = Object.keys(errors)
  if (first !== undefined) focus(fields.getInputNode(first))
}

/** The field itself, or the first choice of a group. */
function focus(node: HTMLElement | null): void {
  const focusable = 'input:not([type=hidden]), select, textarea'
  const target = node?.matches(focusable) === true ? node : node?.querySelector<HTMLElement>(focusable)
  target?.focus()
}
