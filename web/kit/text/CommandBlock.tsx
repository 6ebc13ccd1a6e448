import type { ReactNode } from 'react'
import { CopyIcon } from './CopyText.tsx'
import styles from './CommandBlock.module.css'

/** Lines to paste elsewhere. The region scrolls sideways and is focusable. */
export function CommandBlock({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <div className={styles['block']}>
      <div className={styles['head']}>
        {label}
        <CopyIcon text={text} what={label} />
      </div>
      <pre className={styles['lines']} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  )
}
