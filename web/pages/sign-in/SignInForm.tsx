import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import type { Session, SignIn } from '../../../src/contract/app.ts'
import { isFailure, request } from '../../api/request.ts'
import { useSend } from '../../api/use-send.ts'
import { api } from '../../paths.ts'
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
  const signIn = useSend({
    send: (body: SignIn) => request<Session>(api.session(), { method: 'POST', body }),
    onSuccess: onSignedIn,
    signsIn: true,
  })
  const wrong = isFailure(signIn.error, 'signed_out') ? signIn.error : undefined

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: formText(form, 'email').trim(), password: formText(form, 'password') })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {signIn.error === null || wrong !== undefined ? null : <Problem error={signIn.error} />}
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
          <Button {...keepsEscape} type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
