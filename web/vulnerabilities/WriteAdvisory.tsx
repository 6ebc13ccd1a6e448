import type { ReactNode } from 'react'
import { prefillAdvisory } from '#contract/advisories/operations.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { BeginAdvisory } from '../advisories/BeginAdvisory.tsx'

/** Starts an advisory on a vulnerability from the known facts. */
export function WriteAdvisory({ vulnerability }: { vulnerability: string }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <BeginAdvisory
      begin={async () => {
        const { content } = await call(prefillAdvisory, { params: { slug, vulnerability } })
        return { content, links: [] }
      }}
    />
  )
}
