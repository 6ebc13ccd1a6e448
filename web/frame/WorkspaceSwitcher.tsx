import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sessionQuery } from '../sign-in/session-query.ts'
import { pages } from '../areas.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import styles from './WorkspaceSwitcher.module.css'

/** The workspace's name; a menu for people who belong to several. */
export function WorkspaceSwitcher({ slug, narrow }: { slug: string; narrow: boolean }): ReactNode {
  const { companyName } = useWorkspace()
  const workspaces = useQuery(sessionQuery).data?.workspaces ?? []
  const mark = <Mark name={companyName} />
  if (workspaces.length < 2) {
    return (
      <div className={styles['switcher']} data-narrow={narrow} title={visibleText(companyName)}>
        {mark}
        {narrow ? null : (
          <span className={styles['name']}>
            <Foreign>{companyName}</Foreign>
          </span>
        )}
      </div>
    )
  }
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton
          className={styles['switcher']}
          data-narrow={narrow}
          {...(narrow ? { 'aria-label': companyName } : {})}
        >
          {mark}
          {narrow ? null : (
            <span className={styles['name']}>
              <Foreign>{companyName}</Foreign>
            </span>
          )}
          {narrow ? null : <IconSelector size={16} aria-hidden className={styles['sign']} />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.slug}
            renderRoot={(props) => <Link {...pages.dashboard(workspace.slug)} {...props} />}
            leftSection={<Mark name={workspace.companyName} />}
            rightSection={workspace.slug === slug ? <IconCheck size={15} aria-label="open" /> : null}
          >
            <Foreign>{workspace.companyName}</Foreign>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Mark({ name }: { name: string }): ReactNode {
  return (
    <span className={styles['mark']} aria-hidden>
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  )
}
