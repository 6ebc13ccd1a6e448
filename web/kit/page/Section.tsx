import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import styles from './Section.module.css'

type Props = { title: string; aside?: ReactNode; children: ReactNode }

/** A part of a page whose content has its own border, such as a table. */
export function Section({ title, aside, children }: Props): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={styles['head']}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  )
}
