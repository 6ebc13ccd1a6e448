import { Button, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import type { InvitationState } from '#contract/people/members.ts'
import { acceptInvitation, joinByInvitation } from '#contract/people/operations/members.ts'
import { useFragment } from '../../kit/address/use-fragment.ts'
import { call } from '../../kit/api/call.ts'
import { invitationQuery } from '../queries.ts'
import { sessionQuery } from '../session-query.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { pages } from '../../areas.ts'
import { Form } from '../../kit/form/Form.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { Problem } from '../../kit/page/Problem.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { AsKnown } from './AsKnown.tsx'
import { LinkPage } from './LinkPage.tsx'

type Props = { secret: string; invitation: InvitationState }

/** Accepts an invitation, with a new account or an existing one. */
export default function InvitationPage(): ReactNode {
  const secret = useFragment()
  const invitation = useQuery(invitationQuery(secret))
  return (
    <LinkPage title="Invitation" state={invitation}>
      {(state) => (
        <>
          <Text>
            <Foreign>{state.invitedBy}</Foreign> invites you to <Foreign>{state.companyName}</Foreign> as{' '}
            {state.role}.
          </Text>
          {state.hasAccount ? (
            <AsKnown email={state.email}>
              <Join secret={secret} invitation={state} />
            </AsKnown>
          ) : (
            <NewAccount secret={secret} invitation={state} />
          )}
        </>
      )}
    </LinkPage>
  )
}

function useWelcome(): (answer: Session & { slug: string }) => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async ({ slug, ...session }) => {
    queryClient.setQueryData(sessionQuery.queryKey, session)
    queryClient.removeQueries({ queryKey: ['workspace'] })
    await navigate({ ...pages.dashboard(slug), replace: true })
  }
}

function Join({ secret, invitation }: Props): ReactNode {
  const joining = useSend({
    final: true,
    send: () => call(joinByInvitation, { body: { secret } }),
    onSuccess: useWelcome(),
  })
  return (
    <>
      <Problem error={joining.error} />
      <Button
        loading={joining.isPending}
        onClick={() => {
          joining.mutate()
        }}
      >
        Join <Foreign>{invitation.companyName}</Foreign>
      </Button>
    </>
  )
}

function NewAccount({ secret, invitation }: Props): ReactNode {
  const welcome = useWelcome()
  const form = useSendForm({
    initialValues: { name: '', password: '' },
    inputOf: ({ name, password }) => ({ secret, name: name.trim(), password }),
    send: useSend({
      final: true,
      send: (body: { secret: string; name: string; password: string }) => call(acceptInvitation, { body }),
      onSuccess: welcome,
    }),
  })
  return (
    <Form state={form.state} verb="Create the account and join">
      <TextInput label="E-mail" type="email" autoComplete="username" value={invitation.email} readOnly />
      <TextInput {...form.getInputProps('name')} label="Name" autoComplete="name" required autoFocus />
      <PasswordField
        {...form.getInputProps('password')}
        label="Password"
        description="At least 12 characters."
        isNew
      />
    </Form>
  )
}
