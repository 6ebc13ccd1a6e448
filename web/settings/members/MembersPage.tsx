import { Stack } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch, type LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MemberList, MemberRow } from '#contract/people/members.ts'
import { refusal } from '../../workspaces/access.ts'
import { membersQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { MembersSearch } from '../area.ts'
import { pages } from '../../areas.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import type { Column } from '../../kit/table/column.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Moment } from '../../kit/time/Time.tsx'
import { Invitations } from './Invitations.tsx'
import { InviteModal } from './InviteModal.tsx'
import { LeaveWorkspace } from './LeaveWorkspace.tsx'
import { MemberDrawer } from './MemberDrawer.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'
import { SettingsPage } from '../SettingsPage.tsx'

const columns: Column<MemberRow>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, isYou }) => (
      <span className="clip">
        <Foreign>{name}</Foreign>
        {isYou ? ' (you)' : ''}
      </span>
    ),
  },
  { id: 'email', header: 'E-mail', from: 'sm', cell: ({ email }) => <span className="clip">{email}</span> },
  { id: 'role', header: 'Role', widthPx: 110, cell: ({ role }) => role },
  {
    id: 'joined',
    header: 'Member since',
    widthPx: 168,
    from: 'md',
    cell: ({ joinedAt }) => <Moment at={joinedAt} />,
  },
]

/** The members and their roles, and pending invitations. */
export default function MembersPage(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { dialog, member: open } = useSearch({ from: '/signed-in/$slug/settings/members' })
  const { linkTo, show } = useSteps({}, (next: MembersSearch) => pages.members(slug, next))
  const members = useQuery(membersQuery(slug))
  const close = () => {
    show({})
  }
  const refused = refusal(workspace, 'manage_members')
  const inviteButton = (
    <ActionButton
      leftSection={<IconUserPlus size={16} />}
      refused={refused}
      onClick={() => {
        show({ dialog: 'invite' })
      }}
    >
      Invite
    </ActionButton>
  )
  return (
    <SettingsPage title="Members" actions={inviteButton}>
      <Loaded query={members} waiting={<People list={undefined} open={open} linkTo={linkTo} />}>
        {(list) => <People list={list} open={open} linkTo={linkTo} />}
      </Loaded>
      <InviteModal opened={dialog === 'invite' && refused === undefined} onClose={close} />
      <MemberDrawer member={members.data?.members.find(({ id }) => id === open)} onClose={close} />
    </SettingsPage>
  )
}

type PeopleProps = {
  list: MemberList | undefined
  open: string | undefined
  linkTo: (next: MembersSearch) => LinkOptions
}

function People({ list, open, linkTo }: PeopleProps): ReactNode {
  const { role } = useWorkspace()
  const owners = list?.members.filter((member) => member.role === 'owner').length
  return (
    <Stack gap="lg" align="stretch">
      <DataTable
        label="Members"
        columns={columns}
        rows={list?.members}
        rowId={({ id }) => id}
        rowLink={({ id }) => linkTo({ member: id })}
        openRow={open}
        empty={null}
      />
      <Invitations rows={list?.invitations ?? []} />
      <div>
        <LeaveWorkspace isLastOwner={role === 'owner' && owners === 1} />
      </div>
    </Stack>
  )
}
