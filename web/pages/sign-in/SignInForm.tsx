import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { signIn, type SignIn } from '../../../src/contract/operations/session.ts'
import type { Session } from '../../../src/contract/app.ts'
import { call } from '../../api/call.ts'
import { isFailure } from '../../api/request.ts'
import { useSend } from '../../api/use-send.ts'
import { formText } from '../../ui/form-text.ts'
import { Problem } from '../../ui/Problem.tsx'

type Props = {
  /** Who was signed in before. */
  email?: string
  onSignedIn: (session: Session) => void
  /** Beside the button. */
  children?: ReactNode
}

/** What a dialog beneath would close itself on, were it not told to leave the key to the field it is pressed in. */
const keepsEscape = { 'data-mantine-stop-propagation': true }

export function SignInForm({ email, onSignedIn, children }: Props): ReactNode {
  const entering = useSend({
    send: (body: SignIn) => call(signIn, { body }),
    onSuccess: onSignedIn,
    signsIn: true,
  })
  const wrong = isFailure(entering.error, 'signed_out') ? entering.error : undefined

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    entering.mutate({ email: formText(form, 'email').trim(), password: formText(form, 'password') })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {entering.error === null || wrong !== undefined ? null : <Problem error={entering.error} />}
        <TextInput
          {...keepsEscape}
          name="email"
          type="email"
          label="E-mail"
          autoComplete="username"
          required
          defaultValue={email}
          autoFocus={email === undefined}
        />
        <PasswordInput
          {...keepsEscape}
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          {...(email === undefined ? {} : { 'data-autofocus': true })}
          error={wrong?.message}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        <Group justify="flex-end" gap="xs" grow={children === undefined}>
          {children}
          <Button {...keepsEscape} type="submit" loading={entering.isPending}>
            Sign in
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
