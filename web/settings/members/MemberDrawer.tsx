import { visibleText } from '#contract/hidden-characters.ts'
import { Divider, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { MemberRow } from '#contract/people/members.ts'
import { changeRole, removeMember } from '#contract/people/operations/members.ts'
import type { Role } from '#contract/roles.ts'
import { refusal, revokeRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { FactList } from '../../kit/page/Facts.tsx'
import { Moment } from '../../kit/time/Time.tsx'
import { RoleField } from './RoleField.tsx'

type Props = { member: MemberRow | undefined; onClose: () => void }

/** One member: their role, and the end of their membership. */
export function MemberDrawer({ member, onClose }: Props): ReactNode {
  const workspace = useWorkspace()
  const needed = member?.role === 'owner' ? 'grant_owner' : 'manage_members'
  const changeRefused = refusal(workspace, needed)
  const removeRefused = revokeRefusal(workspace, needed)
  return (
    <DetailDrawer title={member?.name ?? 'Member'} opened={member !== undefined} onClose={onClose}>
      {member === undefined ? null : (
        <Stack gap="lg" key={member.id}>
          <FactList
            facts={[
              { name: 'E-mail', value: member.email },
              { name: 'Role', value: member.role },
              { name: 'Member since', value: <Moment at={member.joinedAt} /> },
            ]}
          />
          {changeRefused === undefined ? (
            <RoleForm member={member} />
          ) : (
            <Text c="dimmed">{changeRefused}</Text>
          )}
          {removeRefused !== undefined || member.isYou ? null : (
            <>
              <Divider />
              <div>
                <RemovePart member={member} onDone={onClose} />
              </div>
            </>
          )}
        </Stack>
      )}
    </DetailDrawer>
  )
}

function confirmedBy(password: string): { password?: string } {
  return password === '' ? {} : { password }
}

type RoleTyped = { role: Role; password: string }

function RoleForm({ member }: { member: MemberRow }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm<RoleTyped, RoleTyped>({
    initialValues: { role: member.role, password: '' },
    follows: true,
    inputOf: (typed) => typed,
    send: useAct({
      slug,
      send: ({ role, password }: RoleTyped) =>
        call(changeRole, {
          params: { slug, person: member.id },
          body: { role, ...confirmedBy(password) },
        }),
      done: ({ role }) => visibleText(`${member.name} is now ${role}.`),
    }),
  })
  const { role } = form.values
  const isAboutOwner = role !== member.role && [role, member.role].includes('owner')
  return (
    <Form state={form.state} verb="Change the role" ready={role !== member.role}>
      <RoleField {...form.getInputProps('role')} />
      {isAboutOwner ? <PasswordField {...form.getInputProps('password')} label="Your password" /> : null}
    </Form>
  )
}

type RemoveProps = { member: MemberRow; onDone: () => void }

/** Removing an owner needs another owner's password; anybody else needs a confirmation. */
function RemovePart({ member, onDone }: RemoveProps): ReactNode {
  return member.role === 'owner' ? (
    <RemoveOwnerForm member={member} onDone={onDone} />
  ) : (
    <RemoveButton member={member} onDone={onDone} />
  )
}

const removeVerb = 'Remove from the workspace'
const afterRemoval =
  'They lose access at once. API tokens they created keep working, and their name stays in the history.'

function useRemoval({ member, onDone }: RemoveProps) {
  const { slug } = useWorkspace()
  return {
    send: ({ password }: { password: string }) =>
      call(removeMember, { params: { slug, person: member.id }, body: confirmedBy(password) }),
    done: () => visibleText(`${member.name} is no longer a member.`),
    onDone,
  }
}

function RemoveButton({ member, onDone }: RemoveProps): ReactNode {
  const { companyName } = useWorkspace()
  const { send, ...removal } = useRemoval({ member, onDone })
  return (
    <ConfirmedButton
      act={{ ...removal, send: () => send({ password: '' }) }}
      title={visibleText(`Remove ${member.name} from ${companyName}?`)}
      consequence={afterRemoval}
      verb={removeVerb}
      final
    >
      {removeVerb}
    </ConfirmedButton>
  )
}

function RemoveOwnerForm({ member, onDone }: RemoveProps): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { password: '' },
    inputOf: (typed) => typed,
    send: useAct({ slug, final: true, ...useRemoval({ member, onDone }) }),
  })
  return (
    <Form state={form.state} verb={removeVerb} final>
      <Text>{afterRemoval}</Text>
      <PasswordField {...form.getInputProps('password')} label="Your password" />
    </Form>
  )
}
