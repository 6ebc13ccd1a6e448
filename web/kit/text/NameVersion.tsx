import type { ReactNode } from 'react'
import { NameText, VersionText } from './CutText.tsx'

type Props = {
  name: string
  version: string | null
  /** Shown on hover over the name, where it says more: the purl. */
  title?: string | null
  /** After both: how many more there are. */
  rest?: ReactNode
}

/** A name with its version on one line. Where both do not fit the version is cut first; the name has at least half of the room. */
export function NameVersion({ name, version, title = null, rest = null }: Props): ReactNode {
  return (
    <span className="named">
      <span className="named-first">
        <NameText title={title ?? undefined}>{name}</NameText>
      </span>{' '}
      <span className="named-second">
        {version === null ? 'without version' : <VersionText>{version}</VersionText>}
      </span>
      {rest}
    </span>
  )
}
