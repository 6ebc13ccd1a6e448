import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { CSSProperties, ReactNode } from 'react'
import type { DependencyRow } from '#contract/dependencies/shapes.ts'
import { dependenciesQuery } from './queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { Problem } from '../../kit/page/Problem.tsx'
import { formatCount, formatNoun } from '../../kit/text/format.ts'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { DependencyMarks } from './DependencyMarks.tsx'
import { TreeItem } from './TreeItem.tsx'
import { useTree } from './tree-state.ts'
import styles from './dependencies.module.css'

type Props = {
  /** The component whose dependencies these are; undefined: the roots. */
  of: number | undefined
  place: string
  /** Level of its rows. */
  level: number
  /** The numbers from the product down to here. */
  above: readonly number[]
}

/** The dependencies of one component, a hundred at a time. */
export function TreeBranch({ of, place, level, above }: Props): ReactNode {
  const { slug, sbomId } = useTree()
  const branch = listedRows(useInfiniteQuery(dependenciesQuery(slug, sbomId, of === undefined ? {} : { of })))
  const { rows, total = 0, onMore, onRetry } = branch
  if (rows === undefined && branch.error !== null) {
    return (
      <li role="none">
        <Problem error={branch.error} onRetry={onRetry} />
      </li>
    )
  }
  if (rows === undefined) {
    return (
      <li role="none" className={styles['waiting']} style={{ '--level': level } as CSSProperties}>
        <Skeleton height={12} width={220} />
      </li>
    )
  }
  return (
    <>
      {rows.map((row, at) => (
        <Dependency
          key={row.number}
          row={row}
          place={place}
          level={level}
          above={above}
          position={{ at: at + 1, of: total }}
        />
      ))}
      {rows.length < total ? (
        <More place={place} level={level} shown={rows.length} total={total} onMore={onMore} />
      ) : null}
    </>
  )
}

type DependencyProps = Omit<Props, 'of'> & { row: DependencyRow; position: { at: number; of: number } }

function Dependency({ row, place: outer, level, above, position }: DependencyProps): ReactNode {
  const { shown, onShow } = useTree()
  const place = `${outer}/${row.number}`
  const isAbove = above.includes(row.number)
  return (
    <TreeItem
      place={place}
      level={level}
      position={position}
      opens={row.dependencies > 0 && !isAbove}
      isShown={shown === String(row.number)}
      onPress={() => {
        onShow(row.number)
      }}
      below={<TreeBranch of={row.number} place={place} level={level + 1} above={[...above, row.number]} />}
    >
      <span className={styles['name']}>
        <NameVersion name={row.name} version={row.version} title={row.purl} />
      </span>
      <DependencyMarks {...row} />
      <span className={styles['size']}>
        {isAbove ? 'already above' : null}
        {row.dependencies > 0 && !isAbove ? formatNoun(row.dependencies, 'dependency', 'dependencies') : null}
      </span>
    </TreeItem>
  )
}

type MoreProps = {
  place: string
  level: number
  shown: number
  total: number
  onMore: (() => void) | undefined
}

function More({ place, level, shown, total, onMore }: MoreProps): ReactNode {
  return (
    <TreeItem
      place={`${place}/more`}
      level={level}
      position={{ at: shown + 1, of: total }}
      opens={false}
      onPress={() => onMore?.()}
    >
      <span className={styles['more']}>
        {onMore === undefined ? 'Reading more…' : `Show more: ${formatCount(shown)} of ${formatCount(total)}`}
      </span>
    </TreeItem>
  )
}
