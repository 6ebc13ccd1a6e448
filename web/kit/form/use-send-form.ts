import { useForm, type UseFormReturnType } from '@mantine/form'
import { useId, type SubmitEvent } from 'react'
import type { Send } from '../api/use-send.ts'
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
  errorsOf?: (error: unknown) => FieldErrors
  /** The form stays after it was sent and is emptied. */
  clears?: boolean
}

/** What the `Form` component needs to know. */
export type FormState = {
  submit: (event: SubmitEvent<HTMLFormElement>) => void
  isSending: boolean
  refusal: FormRefusal | undefined
}

/** The fields (`getInputProps`, `values`, `setFieldValue`) and the state of the form as a whole. */
export type SendForm<Values> = UseFormReturnType<Values> & { state: FormState }

/** A form of fields that is sent to the service: refused fields say why, the first of them has the focus. */
export function useSendForm<Values extends Record<string, unknown>, Input>(
  options: Options<Values, Input>,
): SendForm<Values> {
  const { initialValues, validate = () => ({}), inputOf, send, errorsOf = fieldErrors, clears } = options
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

  function refuse(errors: FieldErrors): void {
    fields.setErrors(errors)
    const [first] = Object.keys(errors)
    if (first !== undefined) focus(fields.getInputNode(first))
  }

  const submit = fields.onSubmit(
    (values) => {
      const input = inputOf(values)
      if (input === undefined) return
      send.mutate(input, {
        onError: (error) => {
          refuse(errorsOf(error))
        },
        ...(clears === true ? { onSuccess: fields.reset } : {}),
      })
    },
    (_errors, values) => {
      refuse(validate(values))
    },
  )
  const refusal = formRefusal(send.error, errorsOf(send.error), Object.keys(fields.values))
  return { ...fields, state: { submit, isSending: send.isPending, refusal } }
}

/** The field itself, or the first choice of a group. */
function focus(node: HTMLElement | null): void {
  const focusable = 'input:not([type=hidden]), select, textarea'
  const target = node?.matches(focusable) === true ? node : node?.querySelector<HTMLElement>(focusable)
  target?.focus()
}
