import type { ReactNode } from 'react'
import { stateRefusal } from '../workspaces/access.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionLink } from '../kit/actions/ActionLink.tsx'

/** The next step where there is no SBOM: everybody may read how to send one, unless uploads are refused. */
export function SendSbom(): ReactNode {
  const workspace = useWorkspace()
  return (
    <ActionLink link={pages.families(workspace.slug)} refused={stateRefusal(workspace)}>
      Send an SBOM
    </ActionLink>
  )
}
