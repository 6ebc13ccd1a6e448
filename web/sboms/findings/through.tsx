import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FindingRow } from '#contract/findings/lists.ts'
import type { DependencyStep } from '#contract/dependencies/shapes.ts'
import { pages } from '../../areas.ts'
import { FilterChips } from '../../kit/table/FilterChips.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { NameVersion } from '../../kit/text/NameVersion.tsx'

const from = '/signed-in/$slug/sboms/$sbom'

/** The direct dependency that brings the component in; links to all findings it brings in. */
export function Through({ row: { component, directDependency } }: { row: FindingRow }): ReactNode {
  const { slug, sbom } = useParams({ from })
  const { finding: _finding, ...search } = useSearch({ from })
  if (directDependency === null) return <span className="dimmed">not stated</span>
  const { number, name, version } = directDependency
  const isItself = name === component.name && version === component.version
  return (
    <TextLink {...pages.sbom(slug, sbom, { ...search, through: number })} resetScroll={false}>
      {isItself ? 'direct dependency' : <NameVersion name={name} version={version} />}
    </TextLink>
  )
}

/** The active filter, which no other control shows; pressing it removes it. */
export function ThroughFilter({
  through,
  onClear,
}: {
  through: DependencyStep
  onClear: () => void
}): ReactNode {
  const label = (
    <>
      On or through <Foreign>{through.name}</Foreign>{' '}
      {through.version === null ? null : <Foreign>{through.version}</Foreign>}
    </>
  )
  return (
    <FilterChips label="Dependency" choices={[{ id: 'through', label, pressed: true, onToggle: onClear }]} />
  )
}
