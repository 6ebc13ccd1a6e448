import { Text, Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { minReasoningCharacters } from '#contract/incidents/limits.ts'
import type { ReviewRow } from '#contract/incidents/waiting.ts'
import { dismissReview } from '#contract/incidents/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { ActionLink } from '../../kit/actions/ActionLink.tsx'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { MalwareMark } from '../../findings/MalwareMark.tsx'
import { ExploitedChips } from '../../findings/ExploitedChip.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { ButtonLink } from '../../kit/text/links.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import styles from './ReviewPage.module.css'

type DrawerProps = { row: ReviewRow | undefined; onClose: () => void }

/** A match to review: the evidence, and the person's decision. */
export function ReviewDrawer({ row, onClose }: DrawerProps): ReactNode {
  return (
    <DetailDrawer title={row?.vulnerability ?? ''} opened={row !== undefined} onClose={onClose}>
      {row === undefined ? null : <Review key={row.findingId} row={row} onClose={onClose} />}
    </DetailDrawer>
  )
}

function Review({ row, onClose }: { row: ReviewRow; onClose: () => void }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { vulnerability, family, dismissed } = row
  const [isDismissing, setDismissing] = useState(false)
  const refused = refusal(workspace, dismissReview.permission)
  return (
    <div className={styles['review']}>
      <Text>
        <Foreign>{row.summary}</Foreign>
      </Text>
      <FactList facts={factsOf(row)} />
      <div className={styles['buttons']}>
        <ButtonLink {...pages.finding(slug, row.findingId)} variant="default">
          Evidence of the match
        </ButtonLink>
        <ActionLink
          link={pages.incidents(
            slug,
            row.malware
              ? { dialog: 'open', malware: row.findingId }
              : { dialog: 'open', vulnerability, family: family.id },
          )}
          refused={refusal(workspace, 'work_on_incidents')}
        >
          {row.malware ? 'Open a severe incident' : 'Open an incident'}
        </ActionLink>
        {dismissed === null && !isDismissing ? (
          <ActionButton
            variant="default"
            refused={refused}
            onClick={() => {
              setDismissing(true)
            }}
          >
            Set aside
          </ActionButton>
        ) : null}
      </div>
      {isDismissing ? <DismissForm row={row} onDone={onClose} /> : null}
    </div>
  )
}

function factsOf({ family, version, component, malware, listedBy, dismissed }: ReviewRow): Fact[] {
  return [
    { name: 'Product', value: <NameVersion name={family.name} version={version} /> },
    { name: 'Component', value: <NameVersion name={component.name} version={component.version} /> },
    malware
      ? { name: 'Class', value: <MalwareMark /> }
      : { name: 'Listed by', value: <ExploitedChips catalogues={listedBy} /> },
    ...(dismissed === null
      ? []
      : [
          { name: 'Set aside by', value: dismissed.by },
          { name: 'At', value: <ZonedTime at={dismissed.at} /> },
          { name: 'Because', value: <ForeignLines>{dismissed.reason}</ForeignLines> },
        ]),
  ]
}

function DismissForm({ row, onDone }: { row: ReviewRow; onDone: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { reason: '' },
    inputOf: ({ reason }) => ({ reason: reason.trim() }),
    send: useAct({
      slug,
      send: (body: { reason: string }) =>
        call(dismissReview, { params: { slug, finding: row.findingId }, body }),
      done: () => 'The match is set aside.',
      closes: onDone,
    }),
  })
  return (
    <Form state={form.state} verb="Set aside">
      <Textarea
        {...form.getInputProps('reason')}
        label="Why it is not in the product"
        description={`At least ${minReasoningCharacters} characters; it stays on record.`}
        autosize
        minRows={2}
        required
      />
    </Form>
  )
}
