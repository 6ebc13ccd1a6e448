import { Anchor, Button, Group, List, Stack, Tabs, Text } from '@mantine/core'
import { useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { visibleLines } from '#contract/hidden-characters.ts'
import type { AdvisoryContent, AdvisoryPreview, AdvisoryProblem } from '#contract/advisories/shapes.ts'
import type { Refusal } from '../../kit/actions/ActionButton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { DraftedVulnerabilities, fieldId, OpenVulnerability } from './fields.ts'
import { placeWords } from '../place-words.ts'
import styles from './Preview.module.css'

type Props = {
  preview: AdvisoryPreview | undefined
  error: Error | null
  /** Set for a large draft: previews its current state on request. */
  onRefresh: (() => void) | undefined
  isLoading: boolean
}

type PreviewProps = Props & { refused: Refusal; vulnerabilities: AdvisoryContent['vulnerabilities'] }

/** Browsers cannot render more of a document in reasonable time. */
const shownCharacters = 200_000

/** The rendered page, the document and what blocks publication; the height stays fixed while the user types. */
export function Preview({ refused, vulnerabilities, ...shown }: PreviewProps): ReactNode {
  return (
    <aside className={styles['preview']} aria-label="Preview">
      {refused === undefined ? (
        <DraftedVulnerabilities value={vulnerabilities}>
          <PreviewTabs {...shown} />
        </DraftedVulnerabilities>
      ) : (
        <Text p="md" c="dimmed">{`No preview: ${refused}`}</Text>
      )}
    </aside>
  )
}

function PreviewTabs({ preview, error, onRefresh, isLoading }: Props): ReactNode {
  return (
    <>
      <Problem error={error} />
      <Refresh onRefresh={onRefresh} isLoading={isLoading} />
      <Tabs defaultValue="page" keepMounted={false} className={styles['tabs'] ?? ''}>
        <Tabs.List>
          <Tabs.Tab value="page">Page</Tabs.Tab>
          <Tabs.Tab value="json">Document</Tabs.Tab>
          <Tabs.Tab value="problems">{testsLabel(preview)}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="page" className={styles['panel'] ?? ''}>
          {preview === undefined ? (
            <Text c="dimmed">
              {onRefresh === undefined ? 'The preview appears in a moment.' : 'There is no preview yet.'}
            </Text>
          ) : (
            <PageFrame page={preview.page} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="json" className={styles['panel'] ?? ''}>
          <Json text={preview?.json ?? ''} />
        </Tabs.Panel>
        <Tabs.Panel value="problems" className={styles['panel'] ?? ''}>
          {preview === undefined ? null : <Findings preview={preview} />}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** Draws a focus ring while the page has focus: an iframe gets no focus event, only the outer window gets a blur. */
function PageFrame({ page }: { page: string }): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isFocused, setFocused] = useState(false)
  useEffect(() => {
    const look = () => {
      setFocused(document.activeElement === frame.current)
    }
    window.addEventListener('blur', look)
    window.addEventListener('focus', look)
    return () => {
      window.removeEventListener('blur', look)
      window.removeEventListener('focus', look)
    }
  }, [])
  return (
    <iframe
      ref={frame}
      title="Preview of the page"
      sandbox=""
      srcDoc={page}
      className={styles['page']}
      data-focused={isFocused}
    />
  )
}

function Refresh({ onRefresh, isLoading }: Pick<Props, 'onRefresh' | 'isLoading'>): ReactNode {
  if (onRefresh === undefined) return null
  return (
    <Group gap="xs" p="xs">
      <Button size="compact-sm" variant="default" loading={isLoading} onClick={onRefresh}>
        Preview
      </Button>
      <Text size="xs" c="dimmed">
        The draft is large: its preview is made when you ask for it.
      </Text>
    </Group>
  )
}

function Json({ text }: { text: string }): ReactNode {
  return (
    <pre className={styles['json']} tabIndex={0} aria-label="The document as JSON">
      {visibleLines(text.slice(0, shownCharacters))}
      {text.length > shownCharacters ? '\n… The rest is in the file.' : ''}
    </pre>
  )
}

/** What blocks publication, then what would improve the advisory. */
function Findings({ preview: { problems, problemsTotal, advice } }: { preview: AdvisoryPreview }): ReactNode {
  return (
    <Stack gap="md">
      {problems.length === 0 ? (
        <Text size="sm">The document passes every mandatory test of CSAF 2.0 and its VEX profile.</Text>
      ) : (
        <ProblemList label="What keeps it from being published" problems={problems} />
      )}
      {problemsTotal > problems.length ? (
        <Text size="sm">{`And ${problemsTotal - problems.length} more.`}</Text>
      ) : null}
      {advice === null ? (
        <Text size="sm" c="dimmed">
          Advice from the optional tests appears in a moment.
        </Text>
      ) : advice.length === 0 ? null : (
        <>
          <Text size="sm" c="dimmed">
            Advice from the optional tests. It can be published as it is.
          </Text>
          <ProblemList label="Advice" problems={advice} />
        </>
      )}
    </Stack>
  )
}

function ProblemList({
  label,
  problems,
}: {
  label: string
  problems: readonly AdvisoryProblem[]
}): ReactNode {
  const vulnerabilities = useContext(DraftedVulnerabilities)
  return (
    <List spacing="xs" size="sm" aria-label={label}>
      {problems.map((problem, index) => (
        <List.Item key={index}>
          {nameBefore(problem.field, vulnerabilities)}
          <Foreign>{problem.message}</Foreign>{' '}
          {problem.test === null ? null : (
            <Text span c="dimmed" size="sm">
              CSAF 2.0, {problem.test}{' '}
            </Text>
          )}
          {problem.field === null ? null : <FieldLink field={problem.field} />}
        </List.Item>
      ))}
    </List>
  )
}

/** Before the words of a problem, because several vulnerabilities may lack the same. One that was removed since the preview was made has no name. */
function nameBefore(field: string | null, vulnerabilities: AdvisoryContent['vulnerabilities']): string {
  const place = /^vulnerabilities\.\d+/.exec(field ?? '')?.[0]
  if (place === undefined) return ''
  const name = placeWords(place, vulnerabilities)
  return name === place ? '' : `${name}: `
}

/** Links to the field, or to the nearest part of the draft that has a control. */
function FieldLink({ field }: { field: string }): ReactNode {
  const { open, setOpen } = useContext(OpenVulnerability)
  const place = /^vulnerabilities\.(\d+)\./.exec(field)?.[1]
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      onClick={() => {
        if (place === undefined || open === Number(place)) {
          leadTo(field)
          return
        }
        setOpen(Number(place))
        // once its fields are rendered
        requestAnimationFrame(() => {
          leadTo(field)
        })
      }}
    >
      Go to the field
    </Anchor>
  )
}

/** To the control of the field or of the first one in it, such as the vector of a score; else to the nearest part around it. */
function leadTo(field: string): void {
  const parts = field.split('.')
  const ids = parts.map((_part, index) => fieldId(parts.slice(0, parts.length - index).join('.')))
  const [own, ...around] = ids.map((id) => document.getElementById(id))
  const within = document.querySelector<HTMLElement>(`[id^="${CSS.escape(fieldId(field))}-"]:not(:disabled)`)
  const control = [own, within, ...around].find((element) => element !== null)
  control?.scrollIntoView({ block: 'center' })
  control?.focus({ preventScroll: true })
}

function testsLabel(preview: AdvisoryPreview | undefined): string {
  if (preview === undefined) return 'Tests'
  return preview.problemsTotal === 0 ? 'Tests: passed' : `Tests: ${preview.problemsTotal}`
}
