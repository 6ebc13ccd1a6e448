import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { addPasskey, beginPasskey, removePasskey } from '#contract/people/operations/passkeys.ts'
import type { NewRecoveryCodes, PasskeyRow } from '#contract/people/sign-in.ts'
import { secondFactorsQuery } from './queries.ts'
import { call } from '../kit/api/call.ts'
import { canUsePasskeys, makePasskey } from '../sign-in/passkey.ts'
import { ConfirmModal } from '../kit/form/ConfirmModal.tsx'
import { Form } from '../kit/form/Form.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Age } from '../kit/time/Time.tsx'
import { AccountSection } from './AccountSection.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import styles from './Sessions.module.css'
import { useAccountAct } from './use-account-act.ts'

/** The person's passkeys: each signs in on its own or as the second step after the password. */
export function Passkeys(): ReactNode {
  const passkeys = useQuery(secondFactorsQuery).data?.passkeys ?? []
  const [isAdding, adding] = useDisclosure(false)
  return (
    <AccountSection title="Passkeys">
      <Text>
        A passkey signs you in with your fingerprint, your face or the PIN of your device, without a password.
        It cannot be tricked out of you by a fake page.
      </Text>
      {passkeys.length === 0 ? null : (
        <ul className={styles['list']}>
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={adding.open} disabled={!canUsePasskeys()}>
          Add a passkey
        </Button>
        {canUsePasskeys() ? null : (
          <Text size="sm" c="dimmed">
            This browser cannot create passkeys for the address of this page.
          </Text>
        )}
      </Group>
      <AddPasskey opened={isAdding} onClose={adding.close} />
    </AccountSection>
  )
}

function PasskeyLine({ passkey }: { passkey: PasskeyRow }): ReactNode {
  const { id, name, addedAt, lastUsedAt } = passkey
  const [isAsking, asking] = useDisclosure(false)
  const act = useAccountAct({
    send: () => call(removePasskey, { params: { passkey: id } }),
    done: 'The passkey has been removed.',
    onDone: asking.close,
  })
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <div>
          <Text fw={500}>
            <Foreign>{name}</Foreign>
          </Text>
          <Text size="sm" c="dimmed">
            Added <Age at={addedAt} />
            {lastUsedAt === null ? ', not used yet.' : null}
            {lastUsedAt === null ? null : (
              <>
                , last used <Age at={lastUsedAt} />.
              </>
            )}
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          onClick={asking.open}
          aria-label={`Remove the passkey ${visibleText(name)}`}
        >
          Remove
        </Button>
      </Group>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title={`Remove the passkey ${name}?`}
        consequence="It no longer signs you in. Without another second factor your recovery codes stop working, and workspaces that ask for one stay closed to you until you set one up. Delete the passkey on the device too: the device is not told."
        verb="Remove the passkey"
        isRunning={act.isPending}
        error={act.error}
        onConfirm={act.mutate}
      />
    </li>
  )
}

function AddPasskey({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode {
  const [codes, setCodes] = useState<string[]>([])
  const leave = () => {
    setCodes([])
    onClose()
  }
  const isShowing = codes.length > 0
  return (
    <FormModal
      opened={opened}
      onClose={leave}
      title={isShowing ? 'Your recovery codes' : 'Add a passkey'}
      locked={isShowing}
    >
      {isShowing ? (
        <RecoveryCodes codes={codes} onDone={leave} />
      ) : (
        <NameForm
          onCancel={leave}
          onDone={({ recoveryCodes }) => {
            if (recoveryCodes.length > 0) setCodes(recoveryCodes)
            else leave()
          }}
        />
      )}
    </FormModal>
  )
}

type NameProps = { onCancel: () => void; onDone: (answer: NewRecoveryCodes) => void }

function NameForm({ onCancel, onDone }: NameProps): ReactNode {
  const form = useSendForm({
    initialValues: { name: '' },
    inputOf: ({ name }) => name.trim(),
    send: useAccountAct({
      send: async (name: string) => {
        const response = await makePasskey(await call(beginPasskey, {}))
        return call(addPasskey, { body: { name, response } })
      },
      done: 'The passkey has been added.',
      onDone,
    }),
  })
  return (
    <Form state={form.state} verb="Continue" onCancel={onCancel}>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        description="Something you will recognise: the device, or where the key is kept."
        maxLength={60}
        required
        data-autofocus
      />
    </Form>
  )
}
