import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { coverageTotal } from '#contract/sbom/shapes.ts'
import type { DependencyTree } from '#contract/dependencies/shapes.ts'
import { dependencyTreeQuery } from './queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import { pages } from '../../areas.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { Section } from '../../kit/page/Section.tsx'
import { SearchField } from '../../kit/table/SearchField.tsx'
import { TableNote } from '../../kit/table/TableNote.tsx'
import { TableTools } from '../../kit/table/TableTools.tsx'
import { formatCount, formatNoun, formatShare } from '../../kit/text/format.ts'
import { TextLink } from '../../kit/text/links.tsx'
import { DependencyTable } from './DependencyTable.tsx'
import { DependencyTreeView } from './DependencyTreeView.tsx'
import { useDependenciesPlace } from './use-dependencies-place.ts'
import { WhyDrawer } from './WhyDrawer.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'

/** The dependencies stated by the document. */
export function DependenciesTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const tree = useQuery(dependencyTreeQuery(slug, sbom.id))
  return (
    <Loaded query={tree}>
      {(known) =>
        known.start === 'nowhere' ? (
          <NoDependencies sbomId={sbom.id} />
        ) : (
          <Dependencies sbom={sbom} tree={known} updatedAtMs={tree.dataUpdatedAt} />
        )
      }
    </Loaded>
  )
}

function NoDependencies({ sbomId }: { sbomId: string }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Empty
      why="The document does not state which component depends on which."
      next={
        <>
          Generators that read the build or its lock file usually write that; those that look at finished
          files often cannot know it. What the SBOM contains is under{' '}
          <TextLink {...pages.sbom(slug, sbomId, { tab: 'components' })} underline="always">
            Components
          </TextLink>
          .
        </>
      }
    />
  )
}

type Props = { sbom: SbomDetail; tree: DependencyTree; updatedAtMs: number }

function Dependencies({ sbom, tree, updatedAtMs }: Props): ReactNode {
  const sbomId = sbom.id
  const { place, show } = useDependenciesPlace(sbomId)
  const { search, component } = place
  return (
    <>
      <TableTools
        filters={
          <SearchField
            label="Search dependencies"
            value={search}
            onSearch={(words) => {
              show({ search: words, component: undefined })
            }}
          />
        }
        note={
          <TableNote
            count={tree.components}
            noun="component"
            also={formatNoun(tree.links, 'link')}
            updatedAtMs={updatedAtMs}
          />
        }
      />
      <Caveats tree={tree} />
      {search === undefined ? (
        <Whole
          sbom={sbom}
          tree={tree}
          shown={component}
          onShow={(number) => {
            show({ component: String(number) })
          }}
        />
      ) : (
        <DependencyTable label="Components found" sbomId={sbomId} filter={present({ search })} />
      )}
      <WhyDrawer
        sbomId={sbomId}
        tree={tree}
        component={component}
        onClose={() => {
          show({ component: undefined })
        }}
      />
    </>
  )
}

/** What the tree cannot show, and why. */
function Caveats({ tree: { start, first, links, linksLeftOut } }: { tree: DependencyTree }): ReactNode {
  if (start === 'product' && linksLeftOut === 0) return null
  return (
    <Stack gap={4} mb="sm">
      {start === 'product' ? null : (
        <Text c="dimmed" size="sm">
          The document does not state what the product itself depends on.{' '}
          {first === 0
            ? 'Its components depend on each other in circles, so that there is none to begin with.'
            : 'The tree begins with the components that depend on others while nothing depends on them.'}
        </Text>
      )}
      {linksLeftOut === 0 ? null : (
        <Text c="dimmed" size="sm">
          The document states {formatNoun(linksLeftOut, 'more link', 'more links')} than the{' '}
          {formatCount(links)} that are kept, so that parts of the tree may be missing.
        </Text>
      )}
    </Stack>
  )
}

type WholeProps = Omit<Props, 'updatedAtMs'> & {
  shown: string | undefined
  onShow: (component: number) => void
}

/** The tree, and separately the components it does not reach. */
function Whole({ sbom, tree, shown, onShow }: WholeProps): ReactNode {
  const sbomId = sbom.id
  return (
    <Stack gap={28}>
      {tree.first === 0 ? null : (
        <DependencyTreeView sbomId={sbomId} tree={tree} shown={shown} onShow={onShow} />
      )}
      {tree.unreached === 0 ? null : (
        <Section title={`Reached by no path: ${formatCount(tree.unreached)}`}>
          <Text size="sm" c="dimmed" mb="sm">
            The document lists these components, but no path of dependencies leads from the product to them.{' '}
            {unreachedFindings(tree, sbom)}
          </Text>
          <DependencyTable
            label="Components that no path reaches"
            sbomId={sbomId}
            filter={{ among: 'unreached' }}
          />
        </Section>
      )}
    </Stack>
  )
}

/** No findings mean something only where components could be checked. */
function unreachedFindings(
  { unreachedWithFindings: count }: DependencyTree,
  { coverage }: SbomDetail,
): string {
  const total = coverageTotal(coverage)
  if (count === 0 && coverage.covered === 0)
    return 'Whether they have findings is not known: none of the components could be checked.'
  if (count === 0 && coverage.covered < total)
    return `None of them has findings; ${formatShare(coverage.covered, total)} of all components are covered.`
  if (count === 0) return 'None of them has findings.'
  return `${formatCount(count)} of them ${count === 1 ? 'has' : 'have'} findings.`
}
