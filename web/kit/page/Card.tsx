import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import styles from './Card.module.css'

type Props = { title: string; aside?: ReactNode; children: ReactNode }

/** A titled part of a page. */
export function Card({ title, aside, children }: Props): ReactNode {
  const id = useId()
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <div className={styles['head']}>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Cards beside each other where the page is wide enough. */
export function Cards({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles['cards']}>{children}</div>
}
