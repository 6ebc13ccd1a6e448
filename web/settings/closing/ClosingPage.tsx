import { Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { reopenWorkspace, type Closing } from '#contract/workspace/closing-operations.ts'
import { isAllowed } from '#contract/roles.ts'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { closingQuery } from '../queries.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { Card } from '../../kit/page/Card.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { useNow } from '../../kit/time/clock.ts'
import { Moment } from '../../kit/time/Time.tsx'
import { CloseForm, DeleteForm } from './ConfirmedForms.tsx'
import { ExportCard } from './ExportCard.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { SettingsPage } from '../SettingsPage.tsx'

/** Exporting, closing, reopening and deleting the workspace. */
export default function ClosingPage(): ReactNode {
  const { role } = useWorkspace()
  return (
    <SettingsPage title="Close workspace">
      {isAllowed(role, 'manage_billing') ? (
        <OwnersPart />
      ) : (
        <Empty why={`Your role is ${role}. Closing the workspace is for owners.`} />
      )}
    </SettingsPage>
  )
}

function OwnersPart(): ReactNode {
  const { slug } = useWorkspace()
  const closing = useQuery(closingQuery(slug))
  return (
    <Loaded query={closing}>
      {(read) => (
        <Stack gap="lg" maw={860}>
          <ExportCard />
          {read.closedAt === null ? <CloseCard /> : <ClosedCards closing={read} />}
        </Stack>
      )}
    </Loaded>
  )
}

function CloseCard(): ReactNode {
  return (
    <Card title="Close the workspace">
      <Stack gap="sm">
        <Text>
          Uploads, matching, alerts, the report form and security.txt stop at once, and only owners see the
          pages. The clocks of open incidents are no longer watched here, but the duties behind them continue.
          Published advisories stay in the feed. A subscription ends with the period that has been paid for.
          You can reopen the workspace at any time, and delete it after 30 days.
        </Text>
        <CloseForm />
      </Stack>
    </Card>
  )
}

function ClosedCards({ closing: { closedAt, deletableAt } }: { closing: Closing }): ReactNode {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const reopening = useAct({
    slug,
    send: () => call(reopenWorkspace, { params: { slug } }),
    done: () => 'The workspace is open again.',
    onDone: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <>
      <Card title="Reopen the workspace">
        <Stack gap="sm" align="flex-start">
          <Text>
            Closed since <Moment at={closedAt ?? ''} />. It comes back read-only, unless a paid period is
            still running.
          </Text>
          <Problem error={reopening.error} />
          <ActionButton
            loading={reopening.isPending}
            onClick={() => {
              reopening.mutate()
            }}
          >
            Reopen the workspace
          </ActionButton>
        </Stack>
      </Card>
      <Card title="Delete the workspace">
        <DeletePart deletableAt={deletableAt ?? ''} />
      </Card>
    </>
  )
}

function DeletePart({ deletableAt }: { deletableAt: string }): ReactNode {
  const nowMs = useNow(60_000)
  if (Date.parse(deletableAt) > nowMs) {
    return (
      <Text>
        It can be deleted from <Moment at={deletableAt} />, 30 days after it was closed.
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      <Text>
        Everything is deleted: families, SBOMs, findings, incidents, reports, advisories and the audit trail.
        The feed ends, and its addresses answer 404. This cannot be undone.
      </Text>
      <DeleteForm />
    </Stack>
  )
}
