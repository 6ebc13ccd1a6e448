import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { NewDestination } from '#contract/alerts/shapes.ts'
import { NewSecret } from '../../../kit/form/NewSecret.tsx'
import { SendTest } from '../deliveries/SendTest.tsx'
import { secretWords, VerificationGuide } from '../secret-words.tsx'

type Props = { added: NewDestination; onDone: () => void }

/** One-time steps: store the secret, send a test. */
export function AddedDestination({ added, onDone }: Props): ReactNode {
  const { id, secret } = added
  if (secret === undefined) {
    return (
      <Stack gap="md">
        <Text>A test shows whether messages arrive. Nothing else is posted until something happens.</Text>
        <SendTest destinationId={id} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <NewSecret secret={secret} what="secret" words={secretWords} onDone={onDone}>
      <VerificationGuide />
      <SendTest destinationId={id} />
    </NewSecret>
  )
}
