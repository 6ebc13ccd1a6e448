import { archiveFamily, restoreFamily } from '#contract/products/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArchive,
  IconArchiveOff,
  IconDots,
  IconPencil,
  IconRosetteDiscountCheck,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { refusal } from '../workspaces/access.ts'
import { type Refusal, ActionItem } from '../kit/actions/ActionButton.tsx'
import { tellRefusal } from '../kit/api/tell-refusal.ts'
import { useAct } from '../kit/api/use-act.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ConfirmModal } from '../kit/form/ConfirmModal.tsx'
import { useConfirmedAct } from '../kit/form/use-confirmed-act.ts'
import { BadgeModal } from './BadgeModal.tsx'
import { DeleteFamilyModal } from './DeleteFamilyModal.tsx'
import type { NamedFamily } from './named-family.ts'
import { RenameFamilyModal } from './RenameFamilyModal.tsx'

type ItemsProps = {
  isArchived: boolean
  refused: Refusal
  onRename: () => void
  onBadge: () => void
  onArchive: () => void
  onRestore: () => void
  onDelete: () => void
}

function FamilyItems(props: ItemsProps): ReactNode {
  const { isArchived, refused, onRename, onBadge, onArchive, onRestore, onDelete } = props
  return (
    <>
      <ActionItem leftSection={<IconPencil size={15} />} refused={refused} onClick={onRename}>
        Rename
      </ActionItem>
      <ActionItem leftSection={<IconRosetteDiscountCheck size={15} />} onClick={onBadge}>
        Status badge
      </ActionItem>
      {!isArchived ? (
        <ActionItem leftSection={<IconArchive size={15} />} refused={refused} onClick={onArchive}>
          Archive
        </ActionItem>
      ) : (
        <>
          <ActionItem leftSection={<IconArchiveOff size={15} />} refused={refused} onClick={onRestore}>
            Restore
          </ActionItem>
          <ActionItem leftSection={<IconTrash size={15} />} refused={refused} onClick={onDelete}>
            Delete
          </ActionItem>
        </>
      )}
    </>
  )
}

/** Rename, archive, restore and delete, on the list and on the page of a family. */
export function FamilyMenu({ family }: { family: NamedFamily }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const refused = refusal(workspace, archiveFamily.permission)
  const [isRenaming, rename] = useDisclosure(false)
  const [isDeleting, deletion] = useDisclosure(false)
  const [showsBadge, badge] = useDisclosure(false)
  const archiving = useConfirmedAct({
    send: () => call(archiveFamily, { params: { slug, family: family.id } }),
    done: () => visibleText(`${family.name} has been archived.`),
  })
  const restore = useAct({
    slug,
    send: () => call(restoreFamily, { params: { slug, family: family.id } }),
    done: () =>
      visibleText(
        `${family.name} has been restored. Its tokens work again unless they have expired or been revoked.`,
      ),
  })

  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={visibleText(`Actions for ${family.name}`)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <FamilyItems
            isArchived={family.archivedAt !== null}
            refused={refused}
            onRename={rename.open}
            onBadge={badge.open}
            onArchive={archiving.ask}
            onRestore={() => {
              restore.mutate(undefined, { onError: tellRefusal })
            }}
            onDelete={deletion.open}
          />
        </Menu.Dropdown>
      </Menu>
      <BadgeModal family={family} opened={showsBadge} onClose={badge.close} />
      <RenameFamilyModal family={family} opened={isRenaming} onClose={rename.close} />
      <DeleteFamilyModal family={family} opened={isDeleting} onClose={deletion.close} />
      <ConfirmModal
        {...archiving.confirmation}
        title={`Archive ${family.name}?`}
        consequence="Pipelines that use its tokens get 401 from now on, and the family is hidden from the lists. It can be restored at any time."
        verb="Archive family"
      />
    </>
  )
}
