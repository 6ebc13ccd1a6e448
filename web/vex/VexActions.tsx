import { Button } from '@mantine/core'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { downloadVexDocument, restoreVexDocument, withdrawVexDocument } from '#contract/vex/operations.ts'
import type { VexDocumentDetail } from '#contract/vex/documents.ts'
import { refusal } from '../workspaces/access.ts'
import { addressOf, call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../kit/actions/ConfirmedButton.tsx'
import { restorationConsequence, withdrawalConsequence } from './withdrawal-words.ts'

type Props = { document: VexDocumentDetail }

/** Download, and withdraw or restore. What an SBOM carries is replaced and restored together with the SBOM. */
export function VexActions({ document }: Props): ReactNode {
  const { slug } = useWorkspace()
  return (
    <>
      {document.state === 'active' ? <Withdraw document={document} /> : null}
      {document.state === 'withdrawn' || document.replacedBy !== null ? (
        <Restore document={document} />
      ) : null}
      <Button
        component="a"
        variant="default"
        leftSection={<IconDownload size={16} />}
        href={addressOf(downloadVexDocument, { params: { slug, document: document.id } })}
        download
      >
        Download
      </Button>
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
