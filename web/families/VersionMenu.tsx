import { makeVersionCurrent, restoreVersion, retireVersion } from '#contract/products/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArchive, IconArchiveOff, IconDots, IconStar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { VersionRow } from '#contract/products/shapes.ts'
import { refusal } from '../workspaces/access.ts'
import { type Refusal, ActionItem } from '../kit/actions/ActionButton.tsx'
import { tellRefusal } from '../kit/api/tell-refusal.ts'
import { useAct } from '../kit/api/use-act.ts'
import { call } from '../kit/api/call.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ConfirmModal } from '../kit/form/ConfirmModal.tsx'
import { useConfirmedAct } from '../kit/form/use-confirmed-act.ts'

const acts = {
  restore: { operation: restoreVersion, done: 'has been restored.' },
  makeCurrent: { operation: makeVersionCurrent, done: 'is now the current version.' },
}

type Props = { familyId: string; version: VersionRow }

/** Retire, restore and make current. The slot for SBOMs without a version has none of these. */
export function VersionMenu({ familyId, version }: Props): ReactNode {
  const { id, name } = version
  return id === null || name === null ? null : (
    <NamedVersionMenu familyId={familyId} version={{ ...version, id, name }} />
  )
}

type NamedVersion = VersionRow & { id: string; name: string }

type ItemsProps = {
  version: NamedVersion
  refused: Refusal
  onAct: (act: keyof typeof acts) => void
  onRetire: () => void
}

function VersionItems({ version, refused, onAct, onRetire }: ItemsProps): ReactNode {
  return (
    <>
      {version.isCurrent || version.retiredAt !== null ? null : (
        <ActionItem
          leftSection={<IconStar size={15} />}
          refused={refused}
          onClick={() => {
            onAct('makeCurrent')
          }}
        >
          Make current
        </ActionItem>
      )}
      {version.retiredAt === null ? (
        <ActionItem leftSection={<IconArchive size={15} />} refused={refused} onClick={onRetire}>
          Retire
        </ActionItem>
      ) : (
        <ActionItem
          leftSection={<IconArchiveOff size={15} />}
          refused={refused}
          onClick={() => {
            onAct('restore')
          }}
        >
          Restore
        </ActionItem>
      )}
    </>
  )
}

function NamedVersionMenu({ familyId, version }: { familyId: string; version: NamedVersion }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const refused = refusal(workspace, retireVersion.permission)
  const params = { slug, family: familyId, version: version.id }
  const retiring = useConfirmedAct({
    send: () => call(retireVersion, { params }),
    done: () => visibleText(`${version.name} has been retired.`),
  })
  const act = useAct({
    slug,
    send: (name: keyof typeof acts) => call(acts[name].operation, { params }),
    done: (name) => visibleText(`${version.name} ${acts[name].done}`),
  })
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={visibleText(`Actions for version ${version.name}`)}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <VersionItems
            version={version}
            refused={refused}
            onAct={(name) => {
              act.mutate(name, { onError: tellRefusal })
            }}
            onRetire={retiring.ask}
          />
        </Menu.Dropdown>
      </Menu>
      <ConfirmModal
        {...retiring.confirmation}
        title={`Retire version ${version.name}?`}
        consequence="Its SBOM becomes inactive, its findings close and it is no longer matched. Its history is kept, and it can be restored at any time."
        verb="Retire version"
      />
    </>
  )
}
