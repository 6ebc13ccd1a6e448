import { Group } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { destinationRefusal } from '../../../workspaces/access.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { ActionButton } from '../../../kit/actions/ActionButton.tsx'
import { errorWords } from '../../../kit/api/error-words.ts'
import { Foreign } from '../../../kit/text/Foreign.tsx'
import { answerWords } from '../words.ts'
import { DeliveryState } from './DeliveryState.tsx'
import styles from './SendTest.module.css'
import { useTest, type Test } from './use-test.ts'

type Props = {
  destinationId: string
  /** A disabled destination still gets tests. */
  isOff?: boolean
}

/** Sends a test and shows its progress. The text has a fixed height, so that nothing moves. */
export function SendTest({ destinationId, isOff = false }: Props): ReactNode {
  const workspace = useWorkspace()
  const test = useTest(destinationId)
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" className={styles['test']}>
      <ActionButton
        variant="default"
        leftSection={<IconSend size={15} />}
        refused={destinationRefusal(workspace, 'Sending')}
        onClick={test.send}
        loading={test.isRunning}
      >
        Send a test
      </ActionButton>
      <div role="status" className={styles['result']}>
        <Result test={test} isOff={isOff} />
      </div>
    </Group>
  )
}

type ResultProps = { test: Test; isOff: boolean }

function Result({ test: { isRunning, result, error }, isOff }: ResultProps): ReactNode {
  if (isRunning) return <DeliveryState delivery={{ state: 'sending' }} />
  if (error !== null) return <span className={styles['bad']}>{errorWords(error).what}</span>
  if (result === undefined) {
    const hint = isOff ? 'Posts one message even though the destination is off.' : 'Posts one message now.'
    return <span className="dimmed">{hint}</span>
  }
  const answer = answerWords(result)
  return (
    <>
      <DeliveryState delivery={result} /> {result.state === 'sent' ? answer : null}
      {result.reason === null ? null : (
        <span className={styles['reason']}>
          <Foreign>{result.reason}</Foreign>
        </span>
      )}
    </>
  )
}
