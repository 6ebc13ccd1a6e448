import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import {
  downloadVexDocument,
  restoreVexDocument,
  withdrawVexDocument,
} from '../../../src/contract/operations/vex.ts'
import type { VexDocumentDetail } from '../../../src/contract/vex-documents.ts'
import { refusal } from '../../access.ts'
import { addressOf, call } from '../../api/call.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { ActionButton } from '../../ui/actions/ActionButton.tsx'
import { ConfirmModal } from '../../ui/form/ConfirmModal.tsx'
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
  const [isAsking, asking] = useDisclosure(false)
  const withdraw = useAct({
    slug,
    send: () => call(withdrawVexDocument, { params: { slug, document: document.id } }),
    done: () => 'The document has been withdrawn. Its statements no longer count.',
    onDone: asking.close,
    settles: true,
  })
  return (
    <>
      <ActionButton
        variant="default"
        refused={refusal(workspace, withdrawVexDocument.permission)}
        onClick={asking.open}
      >
        Withdraw
      </ActionButton>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title="Withdraw this document?"
        consequence={withdrawalConsequence(document)}
        verb="Withdraw document"
        isRunning={withdraw.isPending}
        error={withdraw.error}
        onConfirm={withdraw.mutate}
      />
    </>
  )
}

function Restore({ document }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const [isAsking, asking] = useDisclosure(false)
  const restore = useAct({
    slug,
    send: () => call(restoreVexDocument, { params: { slug, document: document.id } }),
    done: () => 'The document has been restored. Its statements count again.',
    onDone: asking.close,
    settles: true,
  })
  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<IconArrowBackUp size={16} />}
        refused={refusal(workspace, restoreVexDocument.permission)}
        onClick={asking.open}
      >
        Restore
      </ActionButton>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title="Restore this document?"
        consequence={restorationConsequence(document)}
        verb="Restore document"
        isRunning={restore.isPending}
        error={restore.error}
        onConfirm={restore.mutate}
      />
    </>
  )
}
