import { useDisclosure } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import type { DestinationRow } from '#contract/alerts/shapes.ts'
import { renewDestinationSecret } from '#contract/alerts/operations.ts'
import { refusal } from '../../../workspaces/access.ts'
import { call } from '../../../kit/api/call.ts'
import { useAct } from '../../../kit/api/use-act.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { ActionButton } from '../../../kit/actions/ActionButton.tsx'
import { ConfirmModal } from '../../../kit/form/ConfirmModal.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { NewSecret } from '../../../kit/form/NewSecret.tsx'
import { noKeyReason, secretWords, VerificationGuide } from '../secret-words.tsx'

type Props = { destination: DestinationRow; canStore: boolean }

/** Renews the signing secret, after a confirmation, and shows it once. */
export function RenewSecret({ destination: { id, name }, canStore }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const [isAsking, asking] = useDisclosure(false)
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const renew = useAct({
    slug,
    send: () => call(renewDestinationSecret, { params: { slug, destination: id } }),
    onDone: (renewed: { secret: string }) => {
      setSecret(renewed.secret)
      asking.close()
    },
  })
  const close = () => {
    setSecret(undefined)
  }
  return (
    <>
      <ActionButton
        variant="default"
        refused={refusal(workspace, renewDestinationSecret.permission) ?? noKeyReason(canStore)}
        onClick={asking.open}
      >
        New secret
      </ActionButton>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title={`Make a new signing secret for ${name}?`}
        consequence="The old secret ends at once, with no overlap: every post is signed with the new one from then on. Your receiver refuses posts until it knows the new one, and what it refuses is not sent again."
        verb="Make new secret"
        final
        isRunning={renew.isPending}
        error={renew.error}
        onConfirm={renew.mutate}
      />
      <FormModal
        opened={secret !== undefined}
        onClose={close}
        size={560}
        title="Copy the signing secret now"
        locked
      >
        <NewSecret secret={secret ?? ''} what="secret" words={secretWords} onDone={close}>
          <VerificationGuide />
        </NewSecret>
      </FormModal>
    </>
  )
}
