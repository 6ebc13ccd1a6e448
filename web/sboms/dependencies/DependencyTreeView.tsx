import { useState, type ReactNode } from 'react'
import type { DependencyTree } from '#contract/dependencies/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { formatNoun } from '../../kit/text/format.ts'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { TreeBranch } from './TreeBranch.tsx'
import { TreeItem } from './TreeItem.tsx'
import { onTreeKey } from './tree-keys.ts'
import { isBelow, toggled, TreeProvider } from './tree-state.ts'
import styles from './dependencies.module.css'

/** The path of the product. */
const top = ''

type Props = {
  sbomId: string
  tree: DependencyTree
  shown: string | undefined
  onShow: (component: number) => void
}

/** The dependencies stated by the document, expanded step by step. */
export function DependencyTreeView({ sbomId, tree, shown, onShow }: Props): ReactNode {
  const { slug } = useWorkspace()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([top]))
  const [focused, setFocused] = useState<string | undefined>(undefined)
  const state = {
    slug,
    sbomId,
    shown,
    onShow,
    isOpen: (place: string) => open.has(place),
    onToggle: (place: string) => {
      setOpen(toggled(open, place))
      // The focused row may disappear with a closed parent.
      if (focused !== undefined && isBelow(focused, place)) setFocused(place)
    },
    tabStop: focused ?? top,
  }
  return (
    <TreeProvider value={state}>
      <div className={styles['region']}>
        <ul
          role="tree"
          aria-label="Dependencies"
          className={styles['tree']}
          onKeyDown={onTreeKey}
          onFocus={({ target }) => {
            if (target instanceof HTMLElement && target.role === 'treeitem')
              setFocused(target.dataset['place'])
          }}
        >
          <Product tree={tree} />
        </ul>
      </div>
    </TreeProvider>
  )
}

function Product({ tree: { start, product, first } }: { tree: DependencyTree }): ReactNode {
  const size =
    start === 'product'
      ? formatNoun(first, 'direct dependency', 'direct dependencies')
      : `${formatNoun(first, 'component')} at the top`
  return (
    <TreeItem
      place={top}
      level={1}
      position={{ at: 1, of: 1 }}
      opens
      onPress={() => undefined}
      below={<TreeBranch of={undefined} place={top} level={2} above={[]} />}
    >
      <span className={styles['name']} data-product>
        {product === null ? 'The product' : <NameVersion name={product.name} version={product.version} />}
      </span>
      <span className={styles['size']}>{size}</span>
    </TreeItem>
  )
}
