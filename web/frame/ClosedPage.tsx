import type { ReactNode } from 'react'
import type { WorkspaceDetail } from '#contract/workspace/shapes.ts'
import { stateCapabilities } from '#contract/workspace/plans.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'

/** Only owners see the pages of a closed workspace. */
export function isShownTo({ state, role }: Pick<WorkspaceDetail, 'state' | 'role'>): boolean {
  return stateCapabilities[state].readers === 'members' || role === 'owner'
}

/** What everybody else sees. */
export function ClosedPage(): ReactNode {
  return (
    <>
      <PageHeader title="This workspace is closed" />
      <Empty
        why="Only its owners see its pages. Nothing that is stored is lost."
        next="Ask an owner to reopen it."
      />
    </>
  )
}
