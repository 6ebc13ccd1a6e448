import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Button, Progress, Text } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconClock,
  IconLoader2,
  IconRefresh,
  IconXboxXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { errorWords } from '../kit/api/error-words.ts'
import { isFailure } from '../kit/api/request.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { formatBytes } from '../kit/text/format.ts'
import { fieldErrors } from '../kit/form/field-errors.ts'
import { TextLink } from '../kit/text/links.tsx'
import { sbomAnswer, vexAnswer } from './answer-words.ts'
import styles from './SendFiles.module.css'
import type { SendingState, SentFile } from './use-sending.ts'

/** The result of each file sent from this page. */
export function SentFiles({ files }: { files: SentFile[] }): ReactNode {
  return (
    <ul className={styles['files']} aria-label="Sent files" aria-live="polite">
      {files.map(({ key, name, sizeBytes, state, sendAgain }) => (
        <li key={key} className={styles['file']}>
          <StateIcon step={state.step} />
          <span className={styles['name']}>
            <Foreign>{name}</Foreign>
          </span>
          <span className="dimmed">{formatBytes(sizeBytes)}</span>
          <div className={styles['result']}>
            <State state={state} name={name} sendAgain={sendAgain} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function StateIcon({ step }: { step: SendingState['step'] }): ReactNode {
  switch (step) {
    case 'waiting':
      return <IconClock size={18} aria-hidden />
    case 'sending':
      return <IconLoader2 size={18} aria-hidden />
    case 'stored':
      return <IconCircleCheckFilled size={18} aria-hidden style={{ color: 'var(--good)' }} />
    case 'failed':
      return <IconXboxXFilled size={18} aria-hidden style={{ color: 'var(--bad)' }} />
  }
}

type StateProps = { state: SendingState; name: string; sendAgain: () => void }

function State({ state, name, sendAgain }: StateProps): ReactNode {
  const { slug } = useWorkspace()
  switch (state.step) {
    case 'waiting':
      return <Text c="dimmed">Waiting for the previous file</Text>
    case 'sending':
      return <SendingProgress share={state.share} name={name} />
    case 'stored':
      return state.kind === 'sboms' ? (
        <Text>
          {sbomAnswer(state.receipt)}{' '}
          <TextLink {...pages.sbom(slug, state.receipt.id)} underline="always">
            Open the SBOM
          </TextLink>
        </Text>
      ) : (
        <Text>
          {vexAnswer(state.receipt)}{' '}
          <TextLink {...pages.vex(slug, state.receipt.id)} underline="always">
            Open the document
          </TextLink>
        </Text>
      )
    case 'failed':
      return <Failed error={state.error} sendAgain={sendAgain} />
  }
}

function SendingProgress({ share, name }: { share: number; name: string }): ReactNode {
  const percent = Math.floor(share * 100)
  return (
    <>
      {share < 1 ? (
        // a reader would say each percent
        <Text c="dimmed" aria-live="off">{`${percent} % sent`}</Text>
      ) : (
        <Text c="dimmed">Sent; now being read</Text>
      )}
      <Progress.Root size="sm" mt={4}>
        <Progress.Section
          value={percent}
          animated={share === 1}
          striped={share === 1}
          aria-label={visibleText(`Sending ${name}`)}
        />
      </Progress.Root>
    </>
  )
}

/** The same file may be stored another time. */
function mayPass(error: unknown): boolean {
  return (['unreachable', 'unreadable', 'internal', 'timeout', 'rate_limited'] as const).some((code) =>
    isFailure(error, code),
  )
}

function Failed({ error, sendAgain }: { error: unknown; sendAgain: () => void }): ReactNode {
  const { what, next, detail } = errorWords(error)
  return (
    <div role="alert">
      <Text>
        <Foreign>{what}</Foreign> <span className="dimmed">{next}</span>
      </Text>
      {Object.entries(fieldErrors(error)).map(([field, words]) => (
        <Text key={field} c="dimmed" fz={13}>
          {field}: <Foreign>{words}</Foreign>
        </Text>
      ))}
      {detail === null || detail === '' ? null : (
        <Text c="dimmed" fz={13} style={{ overflowWrap: 'anywhere' }}>
          <Foreign>{detail}</Foreign>
        </Text>
      )}
      {mayPass(error) ? (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          leftSection={<IconRefresh size={14} />}
          onClick={sendAgain}
        >
          Send again
        </Button>
      ) : null}
    </div>
  )
}
