import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InvitationRow } from '#contract/people/members.ts'
import { resendInvitation, withdrawInvitation } from '#contract/people/operations/members.ts'
import { refusal, revokeRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { Section } from '../../kit/page/Section.tsx'
import type { Column } from '../../kit/table/column.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { whereLinkWent } from '../../sign-in/link-words.ts'
import { Age } from '../../kit/time/Time.tsx'

const columns: Column<InvitationRow>[] = [
  { id: 'email', header: 'E-mail', whole: true, cell: ({ email }) => email },
  { id: 'role', header: 'Role', widthPx: 90, from: 'sm', cell: ({ role }) => role },
  {
    id: 'by',
    header: 'Sent',
    from: 'md',
    cell: ({ sentAt, invitedBy }) => (
      <span className="clip">
        <Age at={sentAt} />{' '}
        <span className="dimmed">
          by <Foreign>{invitedBy}</Foreign>
        </span>
      </span>
    ),
  },
  {
    id: 'expires',
    header: 'Valid until',
    widthPx: 130,
    from: 'sm',
    cell: ({ expiresAt, isExpired }) => (isExpired ? 'expired' : <Age at={expiresAt} />),
  },
  {
    id: 'act',
    header: 'Actions',
    hidesHeader: true,
    widthPx: 190,
    align: 'right',
    cell: (invitation) => <InvitationActs invitation={invitation} />,
  },
]

/** Pending invitations. */
export function Invitations({ rows }: { rows: InvitationRow[] }): ReactNode {
  if (rows.length === 0) return null
  return (
    <Section title="Invitations">
      <DataTable label="Invitations" columns={columns} rows={rows} rowId={({ id }) => id} empty={null} />
    </Section>
  )
}

function InvitationActs({ invitation }: { invitation: InvitationRow }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { id, email, role } = invitation
  const needed = role === 'owner' ? 'grant_owner' : 'manage_members'
  const params = { slug, invitation: id }
  const resending = useAct({
    slug,
    send: () => call(resendInvitation, { params }),
    done: () => whereLinkWent({ email, sendsMail: !workspace.mail.goesNowhere, what: 'invitation' }),
  })
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <Problem error={resending.error} />
      <ActionButton
        size="compact-xs"
        variant="default"
        refused={refusal(workspace, needed)}
        loading={resending.isPending}
        aria-label={`Send again: ${email}`}
        onClick={() => {
          resending.mutate()
        }}
      >
        Send again
      </ActionButton>
      <ConfirmedButton
        size="compact-xs"
        refused={revokeRefusal(workspace, needed)}
        aria-label={`Withdraw: ${email}`}
        act={{
          send: () => call(withdrawInvitation, { params }),
          done: () => `The invitation of ${email} has been withdrawn.`,
        }}
        title={`Withdraw the invitation of ${email}?`}
        consequence="The link in the message stops working."
        verb="Withdraw"
        final
      >
        Withdraw
      </ConfirmedButton>
    </Group>
  )
}
