import { deleteFamily } from '#contract/products/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAct } from '../kit/api/use-act.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Form } from '../kit/form/Form.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import type { NamedFamily } from './named-family.ts'

type Props = { family: NamedFamily; opened: boolean; onClose: () => void }

/** Deleting asks for the family's name, because the SBOMs cannot be restored. */
export function DeleteFamilyModal({ family, opened, onClose }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} title={`Delete ${family.name}?`}>
      <DeleteFamilyForm family={family} onClose={onClose} />
    </FormModal>
  )
}

function DeleteFamilyForm({ family, onClose }: Pick<Props, 'family' | 'onClose'>): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const form = useSendForm({
    initialValues: { confirmName: '' },
    inputOf: ({ confirmName }) => confirmName,
    send: useAct({
      slug,
      send: (confirmName: string) =>
        call(deleteFamily, { params: { slug, family: family.id }, body: { confirmName } }),
      done: () => visibleText(`${family.name} has been deleted.`),
      closes: () => navigate(pages.families(slug, { archived: true })),
    }),
  })
  return (
    <Form
      state={form.state}
      verb="Delete family"
      final
      ready={form.values.confirmName.trim() === family.name}
      onCancel={onClose}
    >
      <Text>
        Its SBOMs, VEX documents and findings are deleted, and its tokens stop working for good. Incidents,
        published advisories and the audit trail are kept. This cannot be undone.
      </Text>
      <TextInput
        {...form.getInputProps('confirmName')}
        label={visibleText(`Type ${family.name} to delete it`)}
        autoComplete="off"
        data-autofocus
      />
    </Form>
  )
}
