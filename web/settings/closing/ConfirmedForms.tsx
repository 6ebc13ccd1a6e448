import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { closeWorkspace, deleteWorkspace } from '#contract/workspace/closing-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useSend, type Send } from '../../kit/api/use-send.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Form } from '../../kit/form/Form.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'

type Body = BodyOf<typeof closeWorkspace>

export function CloseForm(): ReactNode {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const send = useAct({
    slug,
    send: (body: Body) => call(closeWorkspace, { params: { slug }, body }),
    done: () => 'The workspace is closed.',
    onDone: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return <ConfirmedForm send={send} verb="Close the workspace" purpose="close" />
}

export function DeleteForm(): ReactNode {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const send = useSend({
    final: true,
    send: (body: Body) => call(deleteWorkspace, { params: { slug }, body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await navigate({ ...pages.home(), replace: true })
    },
  })
  return <ConfirmedForm send={send} verb="Delete the workspace" purpose="delete" />
}

type Props = { send: Send<Body>; verb: string; purpose: 'close' | 'delete' }

/** Asks for the company's name and the member's own password. */
function ConfirmedForm({ send, verb, purpose }: Props): ReactNode {
  const { companyName } = useWorkspace()
  const form = useSendForm<Body, Body>({
    initialValues: { confirmName: '', password: '' },
    inputOf: (typed) => typed,
    send,
  })
  return (
    <Form state={form.state} verb={verb} final ready={form.values.confirmName.trim() === companyName}>
      <TextInput
        {...form.getInputProps('confirmName')}
        label={visibleText(`Type ${companyName} to ${purpose} the workspace`)}
        autoComplete="off"
        required
      />
      <PasswordField {...form.getInputProps('password')} label="Your password" />
    </Form>
  )
}
