import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { signIn, type SignIn } from '#contract/people/operations/session.ts'
import type { SignInAnswer } from '#contract/people/sign-in.ts'
import { call } from '../kit/api/call.ts'
import { isFailure } from '../kit/api/request.ts'
import { useSend } from '../kit/api/use-send.ts'
import { fieldErrors, type FieldErrors } from '../kit/form/field-errors.ts'
import { Form } from '../kit/form/Form.tsx'
import { PasswordField } from '../kit/form/PasswordField.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'

type Props = {
  /** The person signed in before. */
  email?: string
  /** The password was right. */
  onAnswered: (answer: SignInAnswer) => void
  onLeave?: () => void
}

/** Keeps a dialog beneath from closing on a key pressed in the field. */
export const keepsEscape = { 'data-mantine-stop-propagation': true }

export function SignInForm({ email, onAnswered, onLeave }: Props): ReactNode {
  const form = useSendForm({
    initialValues: { email: email ?? '', password: '' },
    inputOf: (typed): SignIn => ({ ...typed, email: typed.email.trim() }),
    send: useSend({
      send: (body: SignIn) => call(signIn, { body }),
      onSuccess: onAnswered,
      signsIn: true,
    }),
    errorsOf: signInErrors,
  })
  return (
    <Form state={form.state} verb="Sign in" onCancel={onLeave} cancelVerb="Leave this page" keepsEscape>
      <TextInput
        {...keepsEscape}
        {...form.getInputProps('email')}
        type="email"
        label="E-mail"
        autoComplete="username"
        required
        autoFocus={email === undefined}
      />
      <PasswordField
        {...keepsEscape}
        {...form.getInputProps('password')}
        label="Password"
        {...(email === undefined ? {} : { 'data-autofocus': true })}
      />
    </Form>
  )
}

/** A wrong address or password is refused as a whole; the message is shown at the field to retype. */
function signInErrors(error: unknown): FieldErrors {
  return isFailure(error, 'signed_out') ? { password: error.message } : fieldErrors(error)
}
