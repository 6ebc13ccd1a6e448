import { IconArrowBackUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { downloadVexDocument, restoreVexDocument, withdrawVexDocument } from '#contract/vex/operations.ts'
import type { VexDocumentDetail } from '#contract/vex/documents.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { saveFile } from '../kit/api/save-file.ts'
import { DownloadButton } from '../kit/actions/DownloadButton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../kit/actions/ConfirmedButton.tsx'
import { restorationConsequence, withdrawalConsequence } from './withdrawal-words.ts'

type Props = { document: VexDocumentDetail }

/** Download, and withdraw or restore. A document inside an SBOM is replaced and restored together with the SBOM. */
export function VexActions({ document }: Props): ReactNode {
  const { slug } = useWorkspace()
  return (
    <>
      {document.state === 'active' ? <Withdraw document={document} /> : null}
      {document.state === 'withdrawn' || document.replacedBy !== null ? (
        <Restore document={document} />
      ) : null}
      <DownloadButton
        save={() =>
          saveFile(downloadVexDocument, { params: { slug, document: document.id } }, `${document.id}.json`)
        }
      />
    </>
  )
}

function Withdraw({ document }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  return (
    <ConfirmedButton
      refused={refusal(workspace, withdrawVexDocument.permission)}
      act={{
        send: () => call(withdrawVexDocument, { params: { slug, document: document.id } }),
        done: () => 'The document has been withdrawn. Its statements no longer count.',
        settles: true,
      }}
      title="Withdraw this document?"
      consequence={withdrawalConsequence(document)}
      verb="Withdraw document"
    >
      Withdraw
    </ConfirmedButton>
  )
}

function Restore({ document }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  return (
    <ConfirmedButton
      leftSection={<IconArrowBackUp size={16} />}
      refused={refusal(workspace, restoreVexDocument.permission)}
      act={{
        send: () => call(restoreVexDocument, { params: { slug, document: document.id } }),
        done: () => 'The document has been restored. Its statements count again.',
        settles: true,
      }}
      title="Restore this document?"
      consequence={restorationConsequence(document)}
      verb="Restore document"
    >
      Restore
    </ConfirmedButton>
  )
}
