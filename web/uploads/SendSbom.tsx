import { useQuery } from '@tanstack/react-query'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FamilyName } from '#contract/products/shapes.ts'
import { familyNamesQuery } from '../families/queries.ts'
import { stateRefusal } from '../workspaces/access.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionLink } from '../kit/actions/ActionLink.tsx'

/** The next step where there is no SBOM: everybody may read how to send one, unless uploads are refused. */
export function SendSbom(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const families = useQuery(familyNamesQuery(slug)).data ?? []
  return (
    <ActionLink link={wayToSend(slug, families)} refused={stateRefusal(workspace)}>
      Send an SBOM
    </ActionLink>
  )
}

/** To the only family; among several the reader chooses. */
function wayToSend(slug: string, [only, another]: FamilyName[]): LinkOptions {
  if (only === undefined || another !== undefined) return pages.families(slug)
  return pages.family(slug, only.id, { tab: 'upload' })
}
