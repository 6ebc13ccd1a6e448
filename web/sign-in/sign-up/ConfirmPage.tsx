import { Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import { completeSignUp, createFromSignUp, type SignUpState } from '#contract/people/operations/sign-up.ts'
import { useFragment } from '../../kit/address/use-fragment.ts'
import { call } from '../../kit/api/call.ts'
import { signUpStateQuery } from '../queries.ts'
import { sessionQuery } from '../session-query.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { pages } from '../../areas.ts'
import { Form } from '../../kit/form/Form.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { AsKnown } from '../links/AsKnown.tsx'
import { LinkPage } from '../links/LinkPage.tsx'

/** The target of the sign-up link: creates the workspace. */
export default function ConfirmPage(): ReactNode {
  const secret = useFragment()
  const state = useQuery(signUpStateQuery(secret))
  return (
    <LinkPage title="Create the workspace" state={state}>
      {(signUp) => (
        <>
          <Text>
            Your e-mail address is confirmed. You will be the owner of <Foreign>{signUp.companyName}</Foreign>
            .
          </Text>
          {signUp.hasAccount ? (
            <AsKnown email={signUp.email}>
              <Create secret={secret} signUp={signUp} />
            </AsKnown>
          ) : (
            <Create secret={secret} signUp={signUp} />
          )}
        </>
      )}
    </LinkPage>
  )
}

type Typed = { slug: string; password: string }

function Create({ secret, signUp }: { secret: string; signUp: SignUpState }): ReactNode {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useSendForm<Typed, Typed>({
    initialValues: { slug: signUp.slug, password: '' },
    inputOf: ({ slug, password }) => ({ slug: slug.trim(), password }),
    send: useSend({
      final: true,
      send: ({ slug, password }: Typed): Promise<Session> =>
        signUp.hasAccount
          ? call(createFromSignUp, { body: { secret, slug } })
          : call(completeSignUp, { body: { secret, slug, password } }),
      onSuccess: async (session, { slug }) => {
        queryClient.setQueryData(sessionQuery.queryKey, session)
        await navigate({ ...pages.dashboard(slug), replace: true })
      },
    }),
  })
  return (
    <Form state={form.state} verb="Create the workspace">
      <TextInput
        {...form.getInputProps('slug')}
        label="Workspace address"
        {...(signUp.isSlugFree
          ? {}
          : { description: 'This address has been taken in the meantime. Choose another one.' })}
        required
        leftSection="/app/"
        leftSectionWidth={52}
      />
      {signUp.hasAccount ? null : (
        <>
          <input type="text" name="username" autoComplete="username" value={signUp.email} readOnly hidden />
          <PasswordField
            {...form.getInputProps('password')}
            label="Password"
            description="At least 12 characters."
            isNew
            autoFocus
          />
        </>
      )}
    </Form>
  )
}
