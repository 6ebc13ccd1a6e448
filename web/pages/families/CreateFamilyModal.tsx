import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { SubmitEvent, ReactNode } from 'react'
import { createFamily } from '../../../src/contract/operations/families.ts'
import { useAct } from '../../api/use-act.ts'
import { call } from '../../api/call.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { fieldErrors, formError } from '../../ui/field-errors.ts'
import { formText } from '../../ui/form-text.ts'
import { Problem } from '../../ui/Problem.tsx'

type Props = { opened: boolean; onClose: () => void }

export function CreateFamilyModal({ opened, onClose }: Props): ReactNode {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Create a family"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <CreateFamilyForm onClose={onClose} />
    </Modal>
  )
}

function CreateFamilyForm({ onClose }: Pick<Props, 'onClose'>): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const create = useAct({
    slug,
    final: true,
    send: (name: string) => call(createFamily, { params: { slug }, body: { name } }),
    onDone: ({ id }) => navigate(pages.family(slug, id)),
  })
  const refused = formError(create.error, ['name'])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    create.mutate(formText(new FormData(event.currentTarget), 'name').trim())
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {refused === undefined ? null : <Problem error={refused} />}
        <TextInput
          name="name"
          label="Name"
          description="The product as your customers know it. Its versions come with the SBOMs."
          required
          maxLength={120}
          data-autofocus
          error={fieldErrors(create.error)['name']}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create family
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
