import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { Crumbs, type Crumb } from './Crumbs.tsx'
import { Foreign } from '../text/Foreign.tsx'
import styles from './PageHeader.module.css'

export type HeaderProps = {
  title: string
  /** The breadcrumb, without the page itself. */
  crumbs?: Crumb[] | undefined
  status?: ReactNode
  /** The one main action and the menu. */
  actions?: ReactNode
  /** One sentence under the title. */
  about?: ReactNode
}

/** The title row of a page; it also sets the title of the browser tab and the breadcrumb. */
export function PageHeader({ title, crumbs = [], status, actions, about }: HeaderProps): ReactNode {
  return (
    <header className={styles['header']}>
      <title>{`${visibleText(title)} · SBOM Monitor`}</title>
      <Crumbs way={[...crumbs, { name: title }]} />
      <div className={styles['row']}>
        <Group gap="sm" className={styles['name']}>
          <Title order={1}>
            <Foreign>{title}</Foreign>
          </Title>
          {status}
        </Group>
        {actions === undefined ? null : (
          <Group gap="xs" className={styles['actions']}>
            {actions}
          </Group>
        )}
      </div>
      {about === undefined ? null : <p className={styles['about']}>{about}</p>}
    </header>
  )
}
