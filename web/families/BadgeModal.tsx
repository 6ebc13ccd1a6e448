import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FamilyBadge } from '#contract/metrics/badge.ts'
import { getFamilyBadge, switchBadgeOff, switchBadgeOn } from '#contract/products/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { refusal, revokeRefusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { queryOf } from '../kit/api/query-of.ts'
import { tellRefusal } from '../kit/api/tell-refusal.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { CommandBlock } from '../kit/text/CommandBlock.tsx'
import type { NamedFamily } from './named-family.ts'
import { Loaded } from '../kit/page/Loaded.tsx'

type Props = { family: NamedFamily; opened: boolean; onClose: () => void }

/** The public badge of a family: what it says, its address, and its switch. */
export function BadgeModal({ family, opened, onClose }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} title={`Status badge of ${family.name}`} size={560}>
      <Badge family={family} onClose={onClose} />
    </FormModal>
  )
}

function Badge({ family, onClose }: Pick<Props, 'family' | 'onClose'>): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Loaded
      query={useQuery(queryOf(getFamilyBadge, { params: { slug, family: family.id } }))}
      waiting={<Text c="dimmed">Counting…</Text>}
    >
      {(badge) => <BadgeFacts family={family} badge={badge} onClose={onClose} />}
    </Loaded>
  )
}

function BadgeFacts({ family, badge, onClose }: SwitchProps): ReactNode {
  const { url, words } = badge
  return (
    <Stack gap="md">
      <Text>
        It now says: <b>vulnerabilities: {words}</b>
      </Text>
      <Text c="dimmed" fz="sm">
        {url === null
          ? 'The badge is off. While it is on, everyone who has its address sees these counts, without a name. Nobody can guess the address, and nobody is asked to sign in.'
          : 'The badge is on: everyone who has its address sees these counts. If you switch it off, the address stops working; switching it on again makes a new one.'}
      </Text>
      {url === null ? null : <CommandBlock label="Markdown" text={`![Vulnerabilities](${url})`} />}
      <BadgeSwitch family={family} badge={badge} onClose={onClose} />
    </Stack>
  )
}

type SwitchProps = Pick<Props, 'family' | 'onClose'> & { badge: FamilyBadge }

function BadgeSwitch({ family, badge, onClose }: SwitchProps): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const params = { slug, family: family.id }
  const isOn = badge.url !== null
  const turn = useAct({
    slug,
    send: () => (isOn ? call(switchBadgeOff, { params }) : call(switchBadgeOn, { params })),
    done: () => visibleText(`The badge of ${family.name} is ${isOn ? 'off' : 'on'}.`),
  })
  const refused = isOn
    ? revokeRefusal(workspace, switchBadgeOff.permission)
    : (refusal(workspace, switchBadgeOn.permission) ??
      (family.archivedAt === null ? undefined : 'The product family is archived.'))
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <ActionButton
        refused={refused}
        loading={turn.isPending}
        {...(isOn ? { color: 'red' } : {})}
        onClick={() => {
          turn.mutate(undefined, { onError: tellRefusal })
        }}
      >
        {isOn ? 'Switch off' : 'Switch on'}
      </ActionButton>
    </Group>
  )
}
