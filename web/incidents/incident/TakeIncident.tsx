import { Box, Group, Text } from '@mantine/core'
import { IconUserQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { assignIncident } from '#contract/incidents/act-operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { BothTimes } from '../../kit/time/Countdown.tsx'
import { Notice } from '../../kit/page/Notice.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { AssignForm } from './acts/AssignForm.tsx'
import { DialogButton } from './DialogButton.tsx'

type Props = { incident: IncidentDetail }

/** An open incident without an assignee asks for one, and says since when it has had none. */
export function TakeIncident({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  const me = useQuery(sessionQuery).data?.person.id
  const take = useAct({
    slug: workspace.slug,
    send: (person: string) =>
      call(assignIncident, { params: { slug: workspace.slug, incident: incident.id }, body: { person } }),
    done: () => `${incident.reference} is yours.`,
  })
  if (incident.untakenSince === null) return null
  const refused = refusal(workspace, assignIncident.permission)
  return (
    <Box mb="md">
      <Notice Icon={IconUserQuestion}>
        <Text fw={600}>Who takes this?</Text>
        <Text>
          It has had no assignee since{' '}
          <BothTimes at={incident.untakenSince} timeZone={incident.timeZone} inText />.
          {incident.isExercise ? '' : ' Members are reminded after 30 minutes, 1 hour and 2 hours.'}
        </Text>
        <Group gap={8} w="100%" mt={4}>
          <ActionButton
            size="xs"
            refused={refused}
            loading={take.isPending}
            onClick={() => {
              if (me !== undefined) take.mutate(me)
            }}
          >
            Take it
          </ActionButton>
          <DialogButton verb="Give it to somebody" size="xs" variant="default" refused={refused}>
            {(close) => <AssignForm incident={incident} onClose={close} />}
          </DialogButton>
        </Group>
        <Problem error={take.error} />
      </Notice>
    </Box>
  )
}
