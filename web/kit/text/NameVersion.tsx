import type { ReactNode } from 'react'
import { NameText, VersionText } from './CutText.tsx'

type Props = {
  name: string
  version: string | null
  /** Shown on hover over the name, where it adds something: the purl. */
  title?: string | null
  /** After both: how many more there are. */
  rest?: ReactNode
}

/** A name and version on one line. If both do not fit, the version is cut first; the name gets at least half of the width. */
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
