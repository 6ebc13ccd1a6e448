import { Button, Divider, Modal, Stack, Text } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { confirmIdentity } from '#contract/people/operations/account.ts'
import { call } from '../kit/api/call.ts'
import { useCompanyConfirmation } from './company-sign-in.ts'
import { offerConfirmation, settleConfirmation, useConfirmationNeeded } from '../kit/api/confirmation.ts'
import { secondFactorsQuery } from '../account/queries.ts'
import { confirmByPasskey } from './passkey-proof.ts'
import { sessionQuery } from './session-query.ts'
import { useSend } from '../kit/api/use-send.ts'
import { Form } from '../kit/form/Form.tsx'
import { useFocusBack } from '../kit/form/use-focus-back.ts'
import { useIsTopmost } from '../kit/form/use-is-topmost.ts'
import { PasswordField } from '../kit/form/PasswordField.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { Problem } from '../kit/page/Problem.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'

/** Above page dialogs, below messages. */
const zIndex = 300

/** Asks for a proof of identity before a dangerous act goes on. */
export function ConfirmIdentity(): ReactNode {
  const isNeeded = useConfirmationNeeded()
  useEffect(() => offerConfirmation(), [])
  useFocusBack(isNeeded)
  const isTopmost = useIsTopmost(isNeeded)
  return (
    <Modal
      opened={isNeeded}
      onClose={cancel}
      closeOnEscape={isTopmost}
      title="Confirm that it is you"
      zIndex={zIndex}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text>
          You signed in more than ten minutes ago, and what you are about to do needs a recent sign-in.
        </Text>
        <CompanyProof />
        <PasswordProof />
        <PasskeyProof />
      </Stack>
    </Modal>
  )
}

function cancel(): void {
  settleConfirmation(false)
}

function PasswordProof(): ReactNode {
  const form = useSendForm({
    initialValues: { password: '' },
    inputOf: (typed) => typed,
    send: useSend({
      send: (body: { password: string }) => call(confirmIdentity, { body }),
      onSuccess: () => {
        settleConfirmation(true)
      },
    }),
  })
  return (
    <Form state={form.state} verb="Confirm" onCancel={cancel}>
      <PasswordField {...form.getInputProps('password')} label="Your password" data-autofocus />
    </Form>
  )
}

/** For people who signed in through their company and may have no password. */
function CompanyProof(): ReactNode {
  const workspace = useQuery(sessionQuery).data?.openedBy ?? null
  const here = useLocation({ select: ({ href }) => href })
  const going = useCompanyConfirmation(here)
  if (workspace === null) return null
  return (
    <>
      <Problem error={going.error} />
      <Button
        variant="default"
        fullWidth
        data-mantine-stop-propagation
        leftSection={<IconBuilding size={16} aria-hidden />}
        loading={going.isPending}
        onClick={() => {
          going.mutate(workspace)
        }}
      >
        Confirm with your company
      </Button>
      <Text size="sm" c="dimmed">
        You leave this page and come back. Then repeat what you were about to do.
      </Text>
      <Divider label="or" />
    </>
  )
}

/** For those who have one. */
function PasskeyProof(): ReactNode {
  const passkeys = useQuery(secondFactorsQuery).data?.passkeys ?? []
  if (passkeys.length === 0) return null
  return (
    <PasskeyButton
      verb="Use your passkey"
      send={confirmByPasskey}
      onDone={() => {
        settleConfirmation(true)
      }}
    />
  )
}
