import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { encode } from 'uqr'
import { beginApp, confirmApp } from '#contract/people/operations/second-factor.ts'
import type { NewApp, NewRecoveryCodes } from '#contract/people/sign-in.ts'
import { QueryProblem } from '../kit/page/Loaded.tsx'
import { call } from '../kit/api/call.ts'
import { CodeField } from '../kit/form/CodeField.tsx'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { CopyText } from '../kit/text/CopyText.tsx'
import styles from './AppSetup.module.css'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useAccountAct } from './use-account-act.ts'

/** Shows the secret, asks for a code made from it, then shows the recovery codes. */
export default function AppSetup({ onClose }: { onClose: () => void }): ReactNode {
  const [codes, setCodes] = useState<string[]>()
  // Each opening of the dialog creates a new secret.
  const begun = useQuery({
    queryKey: ['new-app'],
    queryFn: () => call(beginApp, {}),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onClose} />
  if (begun.isError) {
    return (
      <Stack gap="md">
        <QueryProblem query={begun} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    )
  }
  if (begun.data === undefined) return <Text role="status">Making a new secret…</Text>
  return (
    <ConfirmForm
      app={begun.data}
      onCancel={onClose}
      onDone={({ recoveryCodes }) => {
        if (recoveryCodes.length > 0) setCodes(recoveryCodes)
        else onClose()
      }}
    />
  )
}

type Props = { app: NewApp; onCancel: () => void; onDone: (answer: NewRecoveryCodes) => void }

function ConfirmForm({ app, onCancel, onDone }: Props): ReactNode {
  const form = useSendForm({
    initialValues: { code: '' },
    inputOf: (typed) => typed,
    send: useAccountAct({
      send: (body: { code: string }) => call(confirmApp, { body }),
      done: 'From now on you are asked for a code from the app.',
      onDone,
    }),
  })
  return (
    <Form state={form.state} verb="Use this app" onCancel={onCancel}>
      <Text>Scan this with the app on your phone, then type the code that it shows.</Text>
      <QrCode text={app.uri} />
      <div>
        <Text size="sm" c="dimmed">
          Or type this key into the app:
        </Text>
        <CopyText text={app.secret} what="key" />
      </div>
      <CodeField {...form.getInputProps('code')} data-autofocus />
    </Form>
  )
}

/** Black on white in either colour scheme: scanners expect it. */
function QrCode({ text }: { text: string }): ReactNode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={styles['code']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code with the key of the app"
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
