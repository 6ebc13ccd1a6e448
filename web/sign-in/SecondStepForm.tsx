import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import { completeSignIn } from '#contract/people/operations/session.ts'
import type { SecondStep } from '#contract/people/sign-in.ts'
import { call } from '../kit/api/call.ts'
import { enterWithPasskey } from './passkey-proof.ts'
import { useSend } from '../kit/api/use-send.ts'
import { CodeField } from '../kit/form/CodeField.tsx'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { keepsEscape } from './SignInForm.tsx'

type Props = { step: SecondStep; onSignedIn: (session: Session) => void; onBack: () => void }

/** The second step after the password: a passkey, a code of the app, or a recovery code. */
export function SecondStepForm(props: Props): ReactNode {
  const { step, onSignedIn } = props
  return (
    <Stack gap="md">
      {step.ways.includes('passkey') ? (
        <PasskeyButton
          verb="Use your passkey"
          send={() => enterWithPasskey(step.secret)}
          onDone={onSignedIn}
        />
      ) : null}
      <CodeForm {...props} />
    </Stack>
  )
}

function CodeForm({ step, onSignedIn, onBack }: Props): ReactNode {
  const { secret, ways } = step
  const [isRecovering, setRecovering] = useState(!ways.includes('app'))
  const form = useSendForm({
    initialValues: { code: '' },
    inputOf: ({ code }) => ({ secret, code }),
    send: useSend({
      send: (body: { secret: string; code: string }) => call(completeSignIn, { body }),
      onSuccess: onSignedIn,
      signsIn: true,
    }),
  })
  const input = { ...keepsEscape, ...form.getInputProps('code'), 'data-autofocus': true, autoFocus: true }
  return (
    <Form state={form.state} verb="Sign in" onCancel={onBack} cancelVerb="Back" keepsEscape>
      {isRecovering ? (
        <TextInput
          {...input}
          label="Recovery code"
          description="One of the codes that you saved when you set up the second factor."
          autoComplete="off"
          required
        />
      ) : (
        <CodeField {...input} description="It is in your authenticator app." />
      )}
      {isRecovering || !ways.includes('recovery_code') ? null : (
        <Text size="sm">
          <Anchor
            component="button"
            type="button"
            onClick={() => {
              form.setFieldValue('code', '')
              setRecovering(true)
            }}
          >
            Use a recovery code
          </Anchor>
        </Text>
      )}
    </Form>
  )
}
