import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Notice.module.css'

type Props = { Icon: TablerIcon; children: ReactNode }

/** Says at the top of a page that something does not work. */
export function Notice({ Icon, children }: Props): ReactNode {
  return (
    <div className={styles['notice']}>
      <Icon size={16} aria-hidden />
      <div className={styles['words']}>{children}</div>
    </div>
  )
}
