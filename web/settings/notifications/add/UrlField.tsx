import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { destinationLimits, type DestinationKind } from '#contract/alerts/shapes.ts'
import { urlCheckQuery } from '../queries.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { Foreign } from '../../../kit/text/Foreign.tsx'
import styles from './UrlField.module.css'

type Props = {
  kind: DestinationKind
  value?: string
  /** The service's refusal of the URL. */
  error?: ReactNode
}

const quietMs = 400
const scheme = 'https://'

/** The URL, checked by the service while it is typed. The line below has a fixed height, so that nothing moves. */
export function UrlField({ kind, error, ...input }: Props): ReactNode {
  const { slug } = useWorkspace()
  const typed = (input.value ?? '').trim()
  const [url] = useDebouncedValue(typed, quietMs)
  const isBegun = !scheme.startsWith(url)
  const check = useQuery({ ...urlCheckQuery(slug, kind, url), enabled: isBegun })
  const checked = isBegun && !scheme.startsWith(typed) ? check.data : undefined
  const refused = typeof error === 'string' ? error : undefined
  const problem = refused ?? checked ?? undefined
  return (
    <TextInput
      {...input}
      label="URL"
      type="text"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      required
      maxLength={destinationLimits.urlCharacters}
      placeholder={scheme}
      inputWrapperOrder={['label', 'input', 'description']}
      error={problem !== undefined}
      description={<Judgement problem={problem} isChecked={checked !== undefined} />}
      descriptionProps={{ component: 'div' }}
    />
  )
}

function Judgement({ problem, isChecked }: { problem: string | undefined; isChecked: boolean }): ReactNode {
  return (
    <span role="status" className={styles['line']} data-tone={problem === undefined ? 'good' : 'bad'}>
      {problem === undefined ? (
        isChecked ? (
          <>
            <IconCheck size={14} aria-hidden />
            The URL looks right. Send a test to see whether it answers.
          </>
        ) : (
          <span className="dimmed">Stored encrypted, and never shown again.</span>
        )
      ) : (
        <>
          <IconAlertCircle size={14} aria-hidden />
          <span>
            <Foreign>{problem}</Foreign>
          </span>
        </>
      )}
    </span>
  )
}
