import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MemberRow } from '../../../../src/contract/members.ts'
import { membersQuery } from '../../../api/member-queries.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { PageHeader } from '../../../ui/page/PageHeader.tsx'
import { Problem } from '../../../ui/page/Problem.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { Foreign } from '../../../ui/text/Foreign.tsx'
import { Moment } from '../../../ui/text/Time.tsx'
import { SettingsNav } from '../SettingsNav.tsx'

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
  { id: 'role', header: 'Role', widthPx: 120, cell: ({ role }) => role },
  {
    id: 'joined',
    header: 'Member since',
    widthPx: 160,
    from: 'md',
    cell: ({ joinedAt }) => <Moment at={joinedAt} />,
  },
]

/** Who belongs to the workspace, and as what. */
export default function MembersPage(): ReactNode {
  const { slug } = useWorkspace()
  const members = useQuery(membersQuery(slug))
  return (
    <>
      <PageHeader title="Members" crumbs={[{ name: 'Settings' }]} />
      <SettingsNav />
      {members.isError && members.data === undefined ? (
        <Problem
          error={members.error}
          onRetry={() => {
            void members.refetch()
          }}
        />
      ) : (
        <DataTable
          label="Members"
          columns={columns}
          rows={members.data?.members}
          rowId={({ id }) => id}
          empty={null}
        />
      )}
    </>
  )
}
