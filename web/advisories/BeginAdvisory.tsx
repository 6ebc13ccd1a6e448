import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdvisoryBeginning } from '#contract/advisories/shapes.ts'
import { createAdvisory } from '#contract/advisories/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { Problem } from '../kit/page/Problem.tsx'

/** Creates an advisory from the facts in `begin` and opens it. */
export function BeginAdvisory({ begin }: { begin: () => Promise<AdvisoryBeginning> }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const navigate = useNavigate()
  const create = useAct({
    slug,
    send: async () => call(createAdvisory, { params: { slug }, body: await begin() }),
    closes: ({ id }) => navigate(pages.advisory(slug, id)),
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
      <Problem error={create.error} />
    </>
  )
}
