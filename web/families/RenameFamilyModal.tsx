import { getFamily, renameFamily } from '#contract/products/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAct } from '../kit/api/use-act.ts'
import { useLatest } from '../kit/api/use-latest.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Form } from '../kit/form/Form.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import type { NamedFamily } from './named-family.ts'

type Props = { family: NamedFamily; opened: boolean; onClose: () => void }

export function RenameFamilyModal({ family, opened, onClose }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} title={`Rename ${family.name}`}>
      <RenameFamilyForm family={family} onClose={onClose} />
    </FormModal>
  )
}

function RenameFamilyForm({ family, onClose }: Pick<Props, 'family' | 'onClose'>): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { name: family.name },
    latest: useLatest(getFamily, { params: { slug, family: family.id } }, ({ name }) => ({ name })),
    inputOf: ({ name }) => name.trim(),
    send: useAct({
      slug,
      send: (name: string) => call(renameFamily, { params: { slug, family: family.id }, body: { name } }),
      done: (name) => visibleText(`${family.name} is now called ${name}.`),
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Rename family" onCancel={onClose}>
      <TextInput {...form.getInputProps('name')} label="Name" required maxLength={120} data-autofocus />
    </Form>
  )
}
