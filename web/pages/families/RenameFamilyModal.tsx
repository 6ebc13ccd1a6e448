import { renameFamily } from '../../../src/contract/operations/families.ts'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { SubmitEvent, ReactNode } from 'react'
import { useAct } from '../../api/use-act.ts'
import { call } from '../../api/call.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { fieldErrors, formError } from '../../ui/field-errors.ts'
import { formText } from '../../ui/form-text.ts'
import { Problem } from '../../ui/Problem.tsx'
import type { NamedFamily } from './named-family.ts'

type Props = { family: NamedFamily; opened: boolean; onClose: () => void }

export function RenameFamilyModal(props: Props): ReactNode {
  const { family, opened, onClose } = props
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={visibleText(`Rename ${family.name}`)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <RenameFamilyForm family={family} onClose={onClose} />
    </Modal>
  )
}

function RenameFamilyForm({ family, onClose }: Pick<Props, 'family' | 'onClose'>): ReactNode {
  const { slug } = useWorkspace()
  const rename = useAct({
    slug,
    final: true,
    send: (name: string) => call(renameFamily, { params: { slug, family: family.id }, body: { name } }),
    done: (name) => visibleText(`${family.name} is now called ${name}.`),
    onDone: onClose,
  })
  const refused = formError(rename.error, ['name'])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    rename.mutate(formText(new FormData(event.currentTarget), 'name').trim())
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {refused === undefined ? null : <Problem error={refused} />}
        <TextInput
          name="name"
          label="Name"
          defaultValue={family.name}
          required
          maxLength={120}
          data-autofocus
          error={fieldErrors(rename.error)['name']}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Rename family
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
