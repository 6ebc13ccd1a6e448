import type { ReactNode } from 'react'
import { Card, Cards } from '../kit/page/Card.tsx'
import { formatNoun } from '../kit/text/format.ts'
import styles from './VexHints.module.css'

/** What a stricter reader would object to. */
export function VexHints({ hints }: { hints: string[] }): ReactNode {
  if (hints.length === 0) return null
  return (
    <Cards>
      <Card title={formatNoun(hints.length, 'hint')} aside={<span className="dimmed">for its author</span>}>
        <ul className={styles['hints']}>
          {hints.map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
      </Card>
    </Cards>
  )
}
