import { Foreign } from './Foreign.tsx'
import type { ReactNode } from 'react'
import type { EvidenceReference } from '#contract/findings/shapes.ts'
import { ExternalLink } from './ExternalLink.tsx'
import { formatNoun } from './format.ts'
import styles from './References.module.css'
import { shownUrl } from './safe-url.ts'

/** Where a record points to, folded away. */
export function References({ references }: { references: EvidenceReference[] }): ReactNode {
  if (references.length === 0) return null
  return (
    <details className={styles['references']}>
      <summary>{formatNoun(references.length, 'reference')}</summary>
      <ul>
        {references.map(({ type, url }) => (
          <li key={`${type} ${url}`}>
            <span className="dimmed">
              <Foreign>{type.toLowerCase()}</Foreign>
            </span>{' '}
            <ExternalLink href={url}>{shownUrl(url)}</ExternalLink>
          </li>
        ))}
      </ul>
    </details>
  )
}
