import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createFamily } from '#contract/products/operations.ts'
import { useAct } from '../kit/api/use-act.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Form } from '../kit/form/Form.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'

type Props = { opened: boolean; onClose: () => void }

export function CreateFamilyModal({ opened, onClose }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} title="Create a family">
      <CreateFamilyForm onClose={onClose} />
    </FormModal>
  )
}

function CreateFamilyForm({ onClose }: Pick<Props, 'onClose'>): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const form = useSendForm({
    initialValues: { name: '' },
    inputOf: ({ name }) => name.trim(),
    send: useAct({
      slug,
      send: (name: string) => call(createFamily, { params: { slug }, body: { name } }),
      closes: ({ id }) => navigate(pages.family(slug, id)),
    }),
  })
  return (
    <Form state={form.state} verb="Create family" onCancel={onClose}>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        description="The product as your customers know it. Its versions are added by its SBOMs."
        required
        maxLength={120}
        data-autofocus
      />
    </Form>
  )
}
