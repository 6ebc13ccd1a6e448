import { activateSbom } from '#contract/sbom/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { IconHistoryToggle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SbomRow } from '#contract/sbom/rows.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../kit/actions/ConfirmedButton.tsx'

type Props = { sbom: Pick<SbomRow, 'id' | 'version'>; inRow?: boolean }

/** Less prominent in a table row. */
const rowLook = { variant: 'subtle', size: 'compact-xs' }

/** Makes a replaced SBOM active again for its version, after a confirmation. */
export function ActivateSbom({ sbom, inRow = false }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const version = sbom.version === null ? 'SBOMs without a version' : visibleText(`version ${sbom.version}`)
  return (
    <ConfirmedButton
      {...(inRow ? rowLook : {})}
      leftSection={<IconHistoryToggle size={15} />}
      refused={refusal(workspace, activateSbom.permission)}
      act={{
        send: () => call(activateSbom, { params: { slug, sbom: sbom.id } }),
        done: () => 'The SBOM is active again. Its findings are being updated.',
      }}
      title="Make this SBOM active again?"
      consequence={`It replaces the active SBOM for ${version}, and findings then come from this one. The other is kept as history and can be made active again.`}
      verb="Make active"
    >
      Make active again
    </ConfirmedButton>
  )
}
