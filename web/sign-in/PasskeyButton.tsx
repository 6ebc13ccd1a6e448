import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { canUsePasskeys } from './passkey.ts'
import { useSend } from '../kit/api/use-send.ts'
import { Problem } from '../kit/page/Problem.tsx'

type Props<Output> = {
  verb: string
  send: () => Promise<Output>
  onDone: (output: Output) => void
}

/** Asks for a passkey; not shown in browsers without support. */
export function PasskeyButton<Output>({ verb, send, onDone }: Props<Output>): ReactNode {
  const signing = useSend({ send: () => send(), onSuccess: onDone, signsIn: true })
  if (!canUsePasskeys()) return null
  return (
    <>
      <Problem error={signing.error} />
      <Button
        variant="default"
        fullWidth
        data-mantine-stop-propagation
        leftSection={<IconFingerprint size={16} />}
        loading={signing.isPending}
        onClick={() => {
          signing.mutate()
        }}
      >
        {verb}
      </Button>
    </>
  )
}
