import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { makeRecoveryCodes, removeApp } from '#contract/people/operations/second-factor.ts'
import type { SecondFactors } from '#contract/people/sign-in.ts'
import { QueryProblem } from '../kit/page/Loaded.tsx'
import { secondFactorsQuery } from './queries.ts'
import { call } from '../kit/api/call.ts'
import { loadPart } from '../kit/api/page-not-loaded.ts'
import { ConfirmModal } from '../kit/form/ConfirmModal.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { Age } from '../kit/time/Time.tsx'
import { AccountSection } from './AccountSection.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useAccountAct } from './use-account-act.ts'

const AppSetup = lazy(() => loadPart(() => import('./AppSetup.tsx')))

/** The second factors and recovery codes of the person. */
export function SecondFactor(): ReactNode {
  const factors = useQuery(secondFactorsQuery)
  return (
    <AccountSection title="Second factor">
      <QueryProblem query={factors} />
      {factors.data === undefined ? null : <Factors factors={factors.data} />}
    </AccountSection>
  )
}

function Factors({ factors }: { factors: SecondFactors }): ReactNode {
  const [dialog, setDialog] = useState<'app' | 'remove' | 'codes'>()
  const close = () => {
    setDialog(undefined)
  }
  const { app, passkeys, recoveryCodes } = factors
  const hasFactor = app !== null || passkeys.length > 0
  return (
    <>
      <FactorLine factors={factors} />
      <Group gap="xs">
        <Button
          variant={hasFactor ? 'default' : 'filled'}
          onClick={() => {
            setDialog('app')
          }}
        >
          {app === null ? 'Set up an authenticator app' : 'Use another app'}
        </Button>
        {app === null ? null : (
          <Button
            variant="default"
            onClick={() => {
              setDialog('remove')
            }}
          >
            Remove the app
          </Button>
        )}
      </Group>
      {hasFactor ? (
        <CodesLine
          left={recoveryCodes.left}
          onRenew={() => {
            setDialog('codes')
          }}
        />
      ) : null}
      <FormModal opened={dialog === 'app'} onClose={close} title="Set up an authenticator app" locked>
        <Suspense>
          <AppSetup onClose={close} />
        </Suspense>
      </FormModal>
      <RemoveApp opened={dialog === 'remove'} onClose={close} />
      <RenewCodes opened={dialog === 'codes'} onClose={close} />
    </>
  )
}

/** What is asked for after the password. */
function FactorLine({ factors: { app, passkeys } }: { factors: SecondFactors }): ReactNode {
  if (app !== null) {
    return (
      <Text>
        {passkeys.length === 0 ? 'An authenticator app' : 'A passkey or an authenticator app'} is asked for
        after your password. The app was added <Age at={app.addedAt} />.
      </Text>
    )
  }
  if (passkeys.length > 0) {
    return (
      <Text>
        A passkey is asked for after your password. With an app on your phone you can also sign in where the
        passkey is not at hand.
      </Text>
    )
  }
  return (
    <Text>
      Your password alone opens your account. With an app on your phone or a passkey, a stolen password is not
      enough.
    </Text>
  )
}

function CodesLine({ left, onRenew }: { left: number; onRenew: () => void }): ReactNode {
  return (
    <>
      <Text>
        {left === 0
          ? 'No recovery code is left.'
          : `${left} of 10 recovery codes ${left === 1 ? 'is' : 'are'} left.`}{' '}
        A code lets you in once when you have lost your phone or your passkey.
      </Text>
      <Group>
        <Button variant="default" onClick={onRenew}>
          Make new recovery codes
        </Button>
      </Group>
    </>
  )
}

type DialogProps = { opened: boolean; onClose: () => void }

function RemoveApp({ opened, onClose }: DialogProps): ReactNode {
  const act = useAccountAct({
    send: () => call(removeApp, {}),
    done: 'The app has been removed.',
    onDone: onClose,
  })
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Remove the authenticator app?"
      consequence="It is no longer asked for. Without another second factor your recovery codes stop working, and workspaces that ask for one stay closed to you until you set one up."
      verb="Remove the app"
      isRunning={act.isPending}
      error={act.error}
      onConfirm={act.mutate}
    />
  )
}

function RenewCodes({ opened, onClose }: DialogProps): ReactNode {
  const [codes, setCodes] = useState<string[]>()
  const act = useAccountAct({
    send: () => call(makeRecoveryCodes, {}),
    onDone: ({ recoveryCodes }) => {
      setCodes(recoveryCodes)
    },
  })
  const title = 'Make new recovery codes?'
  if (codes !== undefined && opened) {
    const leave = () => {
      setCodes(undefined)
      onClose()
    }
    return (
      <FormModal opened onClose={leave} title="Your new recovery codes" locked>
        <RecoveryCodes codes={codes} onDone={leave} />
      </FormModal>
    )
  }
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title={title}
      consequence="The codes that you have saved stop working."
      verb="Make new codes"
      isRunning={act.isPending}
      error={act.error}
      onConfirm={act.mutate}
    />
  )
}
