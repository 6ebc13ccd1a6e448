import { deleteFamily } from '../../../src/contract/operations/families.ts'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type SubmitEvent, type ReactNode } from 'react'
import { useAct } from '../../api/use-act.ts'
import { call } from '../../api/call.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { fieldErrors, formError } from '../../ui/field-errors.ts'
import { Problem } from '../../ui/Problem.tsx'
import type { NamedFamily } from './named-family.ts'

type Props = { family: NamedFamily; opened: boolean; onClose: () => void }

/** Deleting asks for the family's name, because nothing brings its SBOMs back. */
export function DeleteFamilyModal({ family, opened, onClose }: Props): ReactNode {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={visibleText(`Delete ${family.name}?`)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <DeleteFamilyForm family={family} onClose={onClose} />
    </Modal>
  )
}

function DeleteFamilyForm({ family, onClose }: Pick<Props, 'family' | 'onClose'>): ReactNode {
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const deletion = useAct({
    slug,
    final: true,
    send: (confirmName: string) =>
      call(deleteFamily, { params: { slug, family: family.id }, body: { confirmName } }),
    done: () => visibleText(`${family.name} is deleted.`),
    onDone: () => navigate(pages.families(slug, { archived: true })),
  })
  const refused = formError(deletion.error, ['confirmName'])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    deletion.mutate(typed)
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>
          Its SBOMs, VEX documents and findings go, and its tokens never work again. Incidents, published
          advisories and the audit trail stay. This cannot be undone.
        </Text>
        {refused === undefined ? null : <Problem error={refused} />}
        <TextInput
          label={visibleText(`Type ${family.name} to delete it`)}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
          }}
          autoComplete="off"
          data-autofocus
          error={fieldErrors(deletion.error)['confirmName']}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red.9"
            loading={deletion.isPending}
            disabled={typed.trim() !== family.name}
          >
            Delete family
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
