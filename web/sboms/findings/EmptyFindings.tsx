import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { isMatching } from '../queries.ts'
import type { SbomSearch } from '../area.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { MissingData } from '../../sources/AllClear.tsx'

type Props = {
  sbom: SbomDetail
  isFiltered: boolean
  /** Findings hidden because of their verdict. */
  hidden: number
}

/** Why no finding is shown. Says "none" only where components could be judged. */
export function EmptyFindings({ sbom, isFiltered, hidden }: Props): ReactNode {
  const { slug } = useWorkspace()
  const linkTo = (words: string, search?: SbomSearch) => (
    <TextLink {...pages.sbom(slug, sbom.id, search)} resetScroll={false}>
      {words}
    </TextLink>
  )
  if (isFiltered)
    return <Empty why="No finding of this SBOM matches the filters." next={linkTo('Show all findings')} />
  if (isMatching(sbom)) return <Empty why="Matching is running. Findings will appear here automatically." />
  if (sbom.status === 'failed')
    return <Empty why="Matching failed, so this SBOM has no result until matching has run again." />
  if (!sbom.active)
    return (
      <Empty why="This SBOM is not active, so it is no longer checked. It has no findings in common with the active one." />
    )
  if (hidden > 0)
    return (
      <Empty
        why="Every finding is declared not affected or fixed."
        next={linkTo('Show all verdicts', { verdict: 'all' })}
      />
    )
  const { covered, dataNotLoaded, partlyLoaded } = sbom.coverage
  if (covered > 0)
    return (
      <Empty
        why="No known vulnerability affects the components that are covered."
        next={linkTo('See how many are covered', { tab: 'quality' })}
      />
    )
  return dataNotLoaded + partlyLoaded > 0 ? (
    <Empty
      why="The vulnerability data for its components is not fully loaded, so this is not an all-clear."
      next={<MissingData brings="records" />}
    />
  ) : (
    <Empty
      why="None of the components is covered, so nothing is known about this SBOM."
      next={linkTo('See why', { tab: 'quality' })}
    />
  )
}
