import { Divider, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import type { SecondStep } from '#contract/people/sign-in.ts'
import { enterWithPasskey } from './passkey-proof.ts'
import { CompanyButton } from './CompanyButton.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { SecondStepForm } from './SecondStepForm.tsx'
import { SignInForm } from './SignInForm.tsx'

type Props = {
  /** The person signed in before. */
  email?: string
  /** The page to open after company sign-in, which leaves this page. */
  next?: string | undefined
  onSignedIn: (session: Session) => void
  onLeave?: () => void
}

/** The password, and the steps after it. */
export function SignInSteps({ onSignedIn, next, ...form }: Props): ReactNode {
  const [step, setStep] = useState<SecondStep>()
  if (step !== undefined) {
    return (
      <SecondStepForm
        step={step}
        onSignedIn={onSignedIn}
        onBack={() => {
          setStep(undefined)
        }}
      />
    )
  }
  return (
    <Stack gap="md">
      <SignInForm
        {...form}
        onAnswered={(answer) => {
          if ('secondStep' in answer) setStep(answer.secondStep)
          else onSignedIn(answer)
        }}
      />
      <Divider label="or" />
      <PasskeyButton verb="Sign in with a passkey" send={() => enterWithPasskey()} onDone={onSignedIn} />
      <CompanyButton next={next} />
    </Stack>
  )
}
