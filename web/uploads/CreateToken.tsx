import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { refusal } from '../workspaces/access.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionLink } from '../kit/actions/ActionLink.tsx'

/** Links to the dialog that creates an upload token of the family. */
export function CreateToken({ familyId }: { familyId: string }): ReactNode {
  const workspace = useWorkspace()
  return (
    <ActionLink
      link={pages.tokens(workspace.slug, { dialog: 'create', family: familyId })}
      refused={refusal(workspace, 'manage_upload_tokens')}
      variant="default"
      size="xs"
      leftSection={<IconKey size={14} />}
    >
      Create token
    </ActionLink>
  )
}
