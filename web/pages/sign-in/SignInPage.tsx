import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, type SubmitEvent, type ReactNode } from 'react'
import type { Session, SignIn } from '../../../src/contract/app.ts'
import { sessionQuery } from '../../api/queries.ts'
import { isFailure, request } from '../../api/request.ts'
import { returnPath } from '../../page-search.ts'
import { api, pages } from '../../paths.ts'
import { formText } from '../../ui/form-text.ts'
import { Problem } from '../../ui/Problem.tsx'
import { WaitingPage, WholePage } from '../../ui/WholePage.tsx'

/** Signing in; a link that was followed while signed out opens afterwards. */
export default function SignInPage(): ReactNode {
  const session = useQuery({ ...sessionQuery, retry: false })
  const queryClient = useQueryClient()
  const signIn = useMutation({
    mutationFn: (body: SignIn) => request<Session>(api.session(), { method: 'POST', body }),
    onSuccess: (fresh) => {
      queryClient.removeQueries({ queryKey: ['workspace'] })
      queryClient.setQueryData(sessionQuery.queryKey, fresh)
    },
  })

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: formText(form, 'email').trim(), password: formText(form, 'password') })
  }

  if (session.isSuccess) return <GoOn />
  const wrong = isFailure(signIn.error, 'signed_out') ? signIn.error : undefined
  return (
    <WholePage title="Sign in">
      <form onSubmit={submit}>
        <Stack gap="md">
          {signIn.error === null || wrong !== undefined ? null : <Problem error={signIn.error} />}
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required autoFocus />
          <PasswordInput
            name="password"
            label="Password"
            autoComplete="current-password"
            required
            error={wrong?.message}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          />
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </WholePage>
  )
}

function GoOn(): ReactNode {
  // Judged again where it is used: the address bar is foreign text, and this value decides where the browser goes.
  const next = returnPath(useSearch({ from: '/sign-in' }).next)
  const router = useRouter()
  useEffect(() => {
    if (next === undefined) void router.navigate({ ...pages.home(), replace: true })
    else router.history.replace(`${router.basepath}${next}`)
  }, [router, next])
  return <WaitingPage />
}
