import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Card } from '../kit/page/Card.tsx'
import styles from './StepsCard.module.css'

type Step = { id: string; name: string; why: string; isDone: boolean }

type Props<One extends Step> = {
  title: string
  steps: readonly One[]
  /** `ol`: one after the other. */
  list: 'ol' | 'ul'
  /** The link to where a step is done. */
  wayTo: (step: One) => ReactNode
  children?: ReactNode
}

/** What there is to do, and what of it is done. */
export function StepsCard<One extends Step>({
  title,
  steps,
  list: List,
  wayTo,
  children,
}: Props<One>): ReactNode {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Card
      title={title}
      aside={
        <span className="dimmed">
          {done} of {steps.length} done
        </span>
      }
    >
      <List className={styles['steps']}>
        {steps.map((step) => (
          <li key={step.id} className={styles['step']} data-done={step.isDone}>
            {step.isDone ? (
              <IconCircleCheckFilled size={20} className={styles['done']} aria-label="done" />
            ) : (
              <IconCircleDashed size={20} className={styles['open']} aria-label="open" />
            )}
            <div className={styles['words']}>
              <strong>{step.name}</strong>
              <span className="dimmed">{step.why}</span>
            </div>
            {wayTo(step)}
          </li>
        ))}
      </List>
      {children}
    </Card>
  )
}
