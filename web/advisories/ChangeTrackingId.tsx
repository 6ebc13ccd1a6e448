import { TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { advisoryLimits, type AdvisoryDetail } from '#contract/advisories/shapes.ts'
import { changeAdvisoryTrackingId } from '#contract/advisories/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { Form } from '../kit/form/Form.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'

type Props = { advisory: AdvisoryDetail }

/** Changes the ID of an advisory; possible until the first version is published. */
export function ChangeTrackingId({ advisory }: Props): ReactNode {
  const workspace = useWorkspace()
  const [isOpen, dialog] = useDisclosure(false)
  if (advisory.versions.length > 0) return null
  return (
    <>
      <ActionButton variant="default" refused={refusal(workspace, 'draft_advisories')} onClick={dialog.open}>
        Change the ID
      </ActionButton>
      <FormModal opened={isOpen} onClose={dialog.close} title={`Change the ID of ${advisory.trackingId}`}>
        <IdForm advisory={advisory} onClose={dialog.close} />
      </FormModal>
    </>
  )
}

function IdForm({ advisory, onClose }: Props & { onClose: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { trackingId: advisory.trackingId },
    inputOf: ({ trackingId }) => trackingId.trim(),
    send: useAct({
      slug,
      send: (trackingId: string) =>
        call(changeAdvisoryTrackingId, { params: { slug, advisory: advisory.id }, body: { trackingId } }),
      done: (trackingId) => `The ID is now ${trackingId}.`,
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Change the ID" onCancel={onClose}>
      <TextInput
        {...form.getInputProps('trackingId')}
        label="ID"
        description="Letters A-Z, digits, dots, dashes and _. It appears in public URLs, and never changes once the advisory is published."
        maxLength={advisoryLimits.trackingIdCharacters}
        required
        data-autofocus
      />
    </Form>
  )
}
