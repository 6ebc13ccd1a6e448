import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdvisoryDetail, AdvisoryDraft } from '#contract/advisories/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { deleteAdvisoryDraft } from '#contract/advisories/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ConfirmedButton } from '../kit/actions/ConfirmedButton.tsx'

type Props = { advisory: AdvisoryDetail; draft: AdvisoryDraft }

/** Deletes the draft; published versions stay. */
export function DeleteDraft({ advisory, draft }: Props): ReactNode {
  const { id, trackingId, versions } = advisory
  const workspace = useWorkspace()
  const { slug } = workspace
  const navigate = useNavigate()
  const isFirst = versions.length === 0
  return (
    <ConfirmedButton
      refused={refusal(workspace, 'draft_advisories')}
      act={{
        send: () =>
          call(deleteAdvisoryDraft, { params: { slug, advisory: id }, query: { revision: draft.revision } }),
        done: () => 'The draft is deleted.',
        onDone: async () => {
          if (isFirst) await navigate(pages.advisories(slug))
        },
      }}
      title={visibleText(`Delete the draft of ${trackingId}?`)}
      consequence={isFirst ? withAdvisory : visibleText(besideVersion(versions[0]?.number ?? ''))}
      verb="Delete draft"
      final
    >
      Delete draft
    </ConfirmedButton>
  )
}

const withAdvisory =
  'None of this advisory is published: it is deleted with its draft and its links to incidents and reports. Its ID is not used again. This cannot be undone.'

function besideVersion(number: string): string {
  return `What has been written since version ${number} is lost, and this cannot be undone. Version ${number} stays published as it is.`
}
