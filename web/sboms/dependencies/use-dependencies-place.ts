import { useSearch, type LinkOptions } from '@tanstack/react-router'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import type { SbomSearch } from '../area.ts'
import { pages } from '../../areas.ts'
import { useSteps } from '../../kit/address/use-steps.ts'

type DependenciesQuery = {
  search: string | undefined
  /** The number of the component explained in the drawer. */
  component: string | undefined
}

function searchOf({ search, component }: DependenciesQuery): SbomSearch {
  return present({ tab: 'dependencies' as const, search, component })
}

type DependenciesAddress = {
  place: DependenciesQuery
  addressOf: (change: Partial<DependenciesQuery>) => LinkOptions
  show: (change: Partial<DependenciesQuery>) => void
}

/** The search and component in the address of the tab, and how to change them. */
export function useDependenciesPlace(sbomId: string): DependenciesAddress {
  const { slug } = useWorkspace()
  const { search, component } = useSearch({ from: '/signed-in/$slug/sboms/$sbom' })
  const place: DependenciesQuery = { search, component }
  const { linkTo, show } = useSteps(searchOf(place), (next: SbomSearch) => pages.sbom(slug, sbomId, next))
  return {
    place,
    addressOf: (change) => linkTo(searchOf({ ...place, ...change })),
    show: (change) => {
      show(searchOf({ ...place, ...change }))
    },
  }
}
