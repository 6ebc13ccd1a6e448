import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { endSession, signOutEverywhere } from '#contract/people/operations/account.ts'
import type { SessionRow } from '#contract/people/sessions.ts'
import { QueryProblem } from '../kit/page/Loaded.tsx'
import { accountSessionsQuery } from './queries.ts'
import { call } from '../kit/api/call.ts'
import { useLeaving } from '../sign-in/use-leaving.ts'
import { ConfirmModal } from '../kit/form/ConfirmModal.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { Age } from '../kit/time/Time.tsx'
import { AccountSection } from './AccountSection.tsx'
import styles from './Sessions.module.css'
import { useAccountAct } from './use-account-act.ts'

/** Where the person is signed in, and a button to end every session. */
export function Sessions(): ReactNode {
  const sessions = useQuery(accountSessionsQuery)
  return (
    <AccountSection title="Where you are signed in">
      <QueryProblem query={sessions} />
      {sessions.data === undefined ? null : (
        <ul className={styles['list']}>
          {sessions.data.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
      <SignOutEverywhere />
    </AccountSection>
  )
}

function SessionLine({ session }: { session: SessionRow }): ReactNode {
  const { id, isThis, address, startedAt, lastUsedAt } = session
  const ending = useAccountAct({
    send: () => call(endSession, { params: { session: id } }),
    done: 'The other browser has been signed out.',
  })
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <div>
          <Text fw={500}>{isThis ? 'This browser' : 'Another browser'}</Text>
          <Text size="sm" c="dimmed">
            {address === null ? '' : `From ${address}. `}Signed in <Age at={startedAt} />, last used{' '}
            <Age at={lastUsedAt} />.
          </Text>
        </div>
        {isThis ? null : (
          <Button
            variant="default"
            size="xs"
            flex="none"
            loading={ending.isPending}
            aria-label={address === null ? 'Sign out there' : `Sign out there: ${address}`}
            onClick={() => {
              ending.mutate()
            }}
          >
            Sign out
          </Button>
        )}
      </Group>
      <Problem error={ending.error} />
    </li>
  )
}

function SignOutEverywhere(): ReactNode {
  const [isAsking, asking] = useDisclosure(false)
  const leaving = useLeaving(() => call(signOutEverywhere, {}))
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        Sign out everywhere
      </Button>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title="Sign out everywhere?"
        consequence="You will be signed out in this browser and in every other one at once. API tokens keep working."
        verb="Sign out everywhere"
        isRunning={leaving.isPending}
        error={leaving.error}
        onConfirm={leaving.mutate}
      />
    </>
  )
}
