import type { ReactNode } from 'react'
import { List, type ListProps } from '../table/List.tsx'
import { PageHeader, type HeaderProps } from './PageHeader.tsx'

type Props<Row> = ListProps<Row> &
  Omit<HeaderProps, 'status'> & {
    /** Navigation to sibling pages. */
    nav?: ReactNode
    /** Dialogs and drawers. */
    children?: ReactNode
  }

/** A list page: its title, filters, rows, and what opens beside them. */
export function ListPage<Row>(props: Props<Row>): ReactNode {
  const { title, crumbs, actions, about, nav, children, ...list } = props
  return (
    <>
      <PageHeader title={title} crumbs={crumbs} actions={actions} about={about} />
      {nav}
      <List {...list} />
      {children}
    </>
  )
}
