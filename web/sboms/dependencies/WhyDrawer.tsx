import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  dependencyLimits,
  type DependencyPaths,
  type DependencyStep,
  type DependencyTree,
} from '#contract/dependencies/shapes.ts'
import { dependencyPathsQuery } from './queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Card } from '../../kit/page/Card.tsx'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { FactList } from '../../kit/page/Facts.tsx'
import { CopyText } from '../../kit/text/CopyText.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { TextLink } from '../../kit/text/links.tsx'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { DependencyMarks } from './DependencyMarks.tsx'
import { useDependenciesPlace } from './use-dependencies-place.ts'
import styles from './dependencies.module.css'
import { Loaded } from '../../kit/page/Loaded.tsx'

type Props = { sbomId: string; tree: DependencyTree; component: string | undefined; onClose: () => void }

/** Why a component is in the product, beside the tree. */
export function WhyDrawer({ sbomId, tree, component, onClose }: Props): ReactNode {
  const { slug } = useWorkspace()
  const number = Number(component)
  const isNumber = Number.isInteger(number) && number > 0
  const why = useQuery({ ...dependencyPathsQuery(slug, sbomId, number), enabled: isNumber })
  const found = why.data?.component
  return (
    <DetailDrawer
      title={found === undefined ? 'Component' : <NameVersion name={found.name} version={found.version} />}
      opened={component !== undefined && isNumber}
      onClose={onClose}
    >
      <Loaded query={why}>{(paths) => <Why sbomId={sbomId} tree={tree} why={paths} />}</Loaded>
    </DetailDrawer>
  )
}

type WhyProps = { sbomId: string; tree: DependencyTree; why: DependencyPaths }

function Why({ sbomId, tree, why }: WhyProps): ReactNode {
  const { slug } = useWorkspace()
  const { component, dependents } = why
  return (
    <Stack gap="lg">
      {component.severity === null && component.severityBelow === null ? null : (
        <Stack gap={4}>
          <DependencyMarks {...component} />
          <TextLink {...pages.sbom(slug, sbomId, { through: component.number })} underline="always">
            Show the findings on it and on what it brings in
          </TextLink>
        </Stack>
      )}
      <Card title="Why is this here?">
        <Stack gap="sm">
          <Reason sbomId={sbomId} tree={tree} why={why} />
          <Through sbomId={sbomId} tree={tree} why={why} />
        </Stack>
      </Card>
      <FactList
        facts={[
          { name: 'Depends on', value: formatCount(component.dependencies) },
          { name: 'Depended on by', value: formatCount(dependents) },
          {
            name: 'Purl',
            value:
              component.purl === null ? (
                <span className="dimmed">none</span>
              ) : (
                <CopyText text={component.purl} what="purl" />
              ),
          },
        ]}
      />
    </Stack>
  )
}

function Reason({ sbomId, tree, why }: WhyProps): ReactNode {
  const { component, paths, dependents } = why
  if (component.steps === null) {
    return (
      <Text>
        No path of dependencies leads from the product to it.{' '}
        {dependents === 0
          ? 'The document lists it and states nothing that depends on it.'
          : 'Only components that no path reaches either depend on it.'}
      </Text>
    )
  }
  if (paths.length === 0) {
    return (
      <Text>
        The shortest path from the product to it has {formatCount(component.steps)} steps. Only paths of up to{' '}
        {dependencyLimits.longestPath} steps are shown.
      </Text>
    )
  }
  return (
    <>
      <Text>{headOf(why, tree)}</Text>
      <ol hidden={component.steps === 1 && paths.length === 1} className={styles['paths']}>
        {paths.map((path) => (
          <li key={path.map(({ number }) => number).join(' ')}>
            <Path sbomId={sbomId} path={path} />
          </li>
        ))}
      </ol>
    </>
  )
}

function headOf({ component, paths }: DependencyPaths, { start }: DependencyTree): string {
  const words = paths.length === 1 ? 'The path to it:' : `The ${paths.length} shortest paths to it:`
  if (component.steps !== 1) return words
  const first =
    start === 'product'
      ? 'The product depends on it directly.'
      : 'Nothing depends on it: the tree begins with it.'
  return paths.length === 1 ? first : `${first} ${words}`
}

/** From the product down; each component links to its own explanation. */
function Path({ sbomId, path }: { sbomId: string; path: DependencyStep[] }): ReactNode {
  const { addressOf } = useDependenciesPlace(sbomId)
  return path.map(({ number, name, version }, at) => (
    <span key={number}>
      {at === 0 ? null : <span className="dimmed"> › </span>}
      {at === path.length - 1 ? (
        <strong>
          <Foreign>{name}</Foreign>
        </strong>
      ) : (
        <TextLink {...addressOf({ component: String(number) })}>
          <Foreign>{name}</Foreign>
        </TextLink>
      )}
      {version === null ? null : (
        <span className="dimmed">
          {' '}
          <Foreign>{version}</Foreign>
        </span>
      )}
    </span>
  ))
}

/** What would have to be removed for the component to go. */
function Through({ sbomId, tree, why: { through, component } }: WhyProps): ReactNode {
  const { addressOf } = useDependenciesPlace(sbomId)
  const { total, rows } = through
  if (total < 2 || component.steps === null) return null
  const noun =
    tree.start === 'product' ? 'direct dependencies of the product' : 'components that the tree begins with'
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      It comes in through {formatCount(total)} of the {formatCount(tree.first)} {noun}:{' '}
      {rows.map(({ number, name }, at) => (
        <span key={number}>
          {at === 0 ? '' : ', '}
          <TextLink {...addressOf({ component: String(number) })} underline="always">
            <Foreign>{name}</Foreign>
          </TextLink>
        </span>
      ))}
      {total > rows.length ? ` and ${formatCount(total - rows.length)} more.` : '.'}
    </Text>
  )
}
