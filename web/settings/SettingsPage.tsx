import type { ReactNode } from 'react'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { SettingsNav } from './SettingsNav.tsx'

type Props = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A settings page: its title and navigation. */
export function SettingsPage({ children, ...header }: Props): ReactNode {
  return (
    <>
      <PageHeader {...header} crumbs={[{ name: 'Settings' }]} />
      <SettingsNav />
      {children}
    </>
  )
}
