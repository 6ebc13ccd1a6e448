import { Foreign } from '../../kit/text/Foreign.tsx'
import type { ReactNode } from 'react'
import type { EvidenceReference } from '#contract/findings/shapes.ts'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import styles from './References.module.css'
import { shownUrl } from '../../kit/text/safe-url.ts'

/** The references of a record, folded away. */
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
