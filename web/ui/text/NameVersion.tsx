import type { ReactNode } from 'react'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import { Foreign } from './Foreign.tsx'

type Props = {
  name: string
  version: string | null
  /** Shown on hover, where it says more: the purl. */
  title?: string | null
  /** After both: how many more there are. */
  rest?: ReactNode
}

/** A name with its version: the name gives way, the version is never cut. */
export function NameVersion({ name, version, title = null, rest = null }: Props): ReactNode {
  return (
    <span className="named" title={title === null ? undefined : visibleText(title)}>
      <span className="clip">
        <Foreign>{name}</Foreign>
      </span>{' '}
      <span className="dimmed whole">
        <Foreign>{version ?? 'without version'}</Foreign>
      </span>
      {rest}
    </span>
  )
}
