import type { ReactNode } from 'react'
import { isAllowed, roles, type Role } from '#contract/roles.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'

const roleWords: Record<Role, string> = {
  owner: 'Everything, with billing, owners and closing the workspace.',
  admin: 'Members, tokens, destinations and the settings of the company.',
  lead: 'Families, approvals, publishing, disclosure settings, the audit trail.',
  editor: 'Uploads, verdicts, incidents, drafts and the inbox.',
  viewer: 'Reads everything but the inbox.',
}

type Props = { value?: Role; onChange: (role: Role) => void; error?: ReactNode; 'data-path'?: string }

/** A choice of role, each with its rights. Only owners make owners. */
export function RoleField(props: Props): ReactNode {
  const { role: own } = useWorkspace()
  return (
    <ChoiceField
      label="Role"
      {...props}
      choices={roles.map((role) => {
        const isRefused = role === 'owner' && !isAllowed(own, 'grant_owner')
        return {
          value: role,
          label: role,
          description: isRefused
            ? `${roleWords[role]} Only owners can make somebody an owner.`
            : roleWords[role],
          disabled: isRefused,
        }
      })}
    />
  )
}
