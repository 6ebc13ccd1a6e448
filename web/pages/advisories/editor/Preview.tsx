import { Anchor, List, Tabs, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleLines } from '../../../../src/contract/hidden-characters.ts'
import type { AdvisoryPreview, AdvisoryProblem } from '../../../../src/contract/advisories.ts'
import type { Refusal } from '../../../access.ts'
import { Problem } from '../../../ui/page/Problem.tsx'
import { Foreign } from '../../../ui/text/Foreign.tsx'
import { fieldId } from './fields.ts'
import styles from './Preview.module.css'

type Props = {
  preview: AdvisoryPreview | undefined
  error: Error | null
}

/** The readable page, the document and what keeps it from being published; its height stays, whatever is typed. */
export function Preview({ refused, ...shown }: Props & { refused: Refusal }): ReactNode {
  return (
    <aside className={styles['preview']} aria-label="Preview">
      {refused === undefined ? (
        <PreviewTabs {...shown} />
      ) : (
        <Text p="md" c="dimmed">{`No preview: ${refused}`}</Text>
      )}
    </aside>
  )
}

function PreviewTabs({ preview, error }: Props): ReactNode {
  const problems = preview?.problems ?? []
  return (
    <>
      {error === null ? null : <Problem error={error} />}
      <Tabs defaultValue="page" keepMounted={false} className={styles['tabs'] ?? ''}>
        <Tabs.List>
          <Tabs.Tab value="page">Page</Tabs.Tab>
          <Tabs.Tab value="json">Document</Tabs.Tab>
          <Tabs.Tab value="problems">{testsLabel(preview)}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="page" className={styles['panel'] ?? ''}>
          {preview === undefined ? (
            <Text c="dimmed">The preview appears in a moment.</Text>
          ) : (
            <iframe title="Preview of the page" sandbox="" srcDoc={preview.page} className={styles['page']} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="json" className={styles['panel'] ?? ''}>
          <pre className={styles['json']} tabIndex={0} aria-label="The document as JSON">
            {visibleLines(preview?.json ?? '')}
          </pre>
        </Tabs.Panel>
        <Tabs.Panel value="problems" className={styles['panel'] ?? ''}>
          <Problems problems={problems} isKnown={preview !== undefined} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function Problems({
  problems,
  isKnown,
}: {
  problems: readonly AdvisoryProblem[]
  isKnown: boolean
}): ReactNode {
  if (!isKnown) return null
  if (problems.length === 0)
    return <Text>The document passes every mandatory test of CSAF 2.0 and its VEX profile.</Text>
  return (
    <List spacing="xs" size="sm">
      {problems.map((problem, index) => (
        <List.Item key={index}>
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

/** Leads to the field, or to the nearest part of the draft that has a control. */
function FieldLink({ field }: { field: string }): ReactNode {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      onClick={() => {
        const parts = field.split('.')
        const ids = parts.map((_part, index) => fieldId(parts.slice(0, parts.length - index).join('.')))
        const control = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
        control?.scrollIntoView({ block: 'center' })
        control?.focus({ preventScroll: true })
      }}
    >
      Go to the field
    </Anchor>
  )
}

function testsLabel(preview: AdvisoryPreview | undefined): string {
  if (preview === undefined) return 'Tests'
  return preview.problems.length === 0 ? 'Tests: passed' : `Tests: ${preview.problems.length}`
}
