import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { invite } from '#contract/people/operations/members.ts'
import type { Role } from '#contract/roles.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { whereLinkGoes, whereLinkWent } from '../../sign-in/link-words.ts'
import { RoleField } from './RoleField.tsx'

type Props = { opened: boolean; onClose: () => void }
type Typed = { email: string; role: Role; password: string }

export function InviteModal({ opened, onClose }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} title="Invite a member" size={520}>
      <InviteForm onClose={onClose} />
    </FormModal>
  )
}

function InviteForm({ onClose }: { onClose: () => void }): ReactNode {
  const { slug, mail } = useWorkspace()
  const sendsMail = !mail.goesNowhere
  const form = useSendForm<Typed, Typed>({
    initialValues: { email: '', role: 'editor', password: '' },
    inputOf: (typed) => ({ ...typed, email: typed.email.trim() }),
    send: useAct({
      slug,
      send: ({ email, role, password }: Typed) =>
        call(invite, { params: { slug }, body: { email, role, ...(password === '' ? {} : { password }) } }),
      done: ({ email }) => whereLinkWent({ email, sendsMail, what: 'invitation' }),
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Send the invitation" onCancel={onClose}>
      <TextInput
        {...form.getInputProps('email')}
        type="email"
        label="E-mail"
        description={`${whereLinkGoes(sendsMail)} It is valid for 7 days and works once.`}
        autoComplete="off"
        required
        data-autofocus
      />
      <RoleField {...form.getInputProps('role')} />
      {form.values.role === 'owner' ? (
        <PasswordField {...form.getInputProps('password')} label="Your password" />
      ) : null}
    </Form>
  )
}
