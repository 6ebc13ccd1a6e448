import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createAdvisory, prefillAdvisory } from '../../../src/contract/operations/advisories.ts'
import { refusal } from '../../access.ts'
import { call } from '../../api/call.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { ActionButton } from '../../ui/actions/ActionButton.tsx'
import { Problem } from '../../ui/page/Problem.tsx'

/** Begins an advisory on a vulnerability with what is known of it. */
export function WriteAdvisory({ vulnerability }: { vulnerability: string }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const navigate = useNavigate()
  const create = useAct({
    slug,
    send: async () => {
      const { content } = await call(prefillAdvisory, { params: { slug, vulnerability } })
      return call(createAdvisory, { params: { slug }, body: { content } })
    },
    onDone: ({ id }) => navigate(pages.advisory(slug, id)),
  })
  return (
    <>
      <ActionButton
        variant="default"
        refused={refusal(workspace, 'draft_advisories')}
        loading={create.isPending}
        onClick={() => {
          create.mutate()
        }}
      >
        Write an advisory
      </ActionButton>
      {create.error === null ? null : <Problem error={create.error} />}
    </>
  )
}
