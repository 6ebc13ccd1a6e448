import { Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DraftForm, DraftPresence } from '#contract/incidents/report-drafts.ts'
import { BothTimes } from '../../kit/time/Countdown.tsx'
import { Moment } from '../../kit/time/Time.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import styles from './Draft.module.css'
import type { DraftNow, SaveState } from './draft-text.ts'

type Props = { state: DraftNow; timeZone: string }

const kept = 'A copy is kept in this browser.'

function retried(why: string): string {
  return `Not saved: ${why}. It will be tried again automatically. ${kept}`
}

/** null: everything shown is saved. */
const stateWords: Record<SaveState, string | null> = {
  saved: null,
  typed: 'Not saved yet.',
  saving: 'Saving…',
  unreachable: retried('the service cannot be reached'),
  unreadable: retried(
    'something between the browser and the service, such as a proxy, answered instead of it',
  ),
  internal: retried('the service could not do it'),
  timeout: retried('sending it took too long'),
  rate_limited: retried('the service has too many requests at the moment'),
  signed_out: `Not saved: your session has ended. ${kept} It is saved once you are signed in again.`,
  refused: `Not saved. ${kept}`,
}

/** What is saved, when and by whom. */
export function SavedLine({ state: { saved }, timeZone }: Props): ReactNode {
  if (saved.savedAt === null) return 'Made from what is known. Nothing is saved yet.'
  return (
    <>
      Saved by <Foreign>{saved.savedBy ?? ''}</Foreign>,{' '}
      <BothTimes at={saved.savedAt} timeZone={timeZone} inText />
    </>
  )
}

/** Shown beside the save button. */
export function SavingLine({ state: { state, changes } }: { state: DraftNow }): ReactNode {
  const waiting = Object.values(changes).filter(({ theirs }) => theirs !== undefined).length
  const words = [
    stateWords[state],
    waiting === 0 ? null : `${formatNoun(waiting, 'field')} with two texts: choose one.`,
  ].filter((sentence) => sentence !== null)
  return (
    <Text role="status" aria-label="Saving" c="dimmed" fz={13}>
      {words.length === 0 ? 'It saves itself.' : words.join(' ')}
    </Text>
  )
}

/** Who else has the draft open. */
export function Others({ others }: { others: DraftPresence['others'] }): ReactNode {
  return (
    <div role="status" aria-label="Others in this draft">
      {others.map(({ name, isWriting }, index) => (
        <Text key={index} className={styles['present']} fz={13}>
          <IconPencil size={14} aria-hidden />
          <span>
            <Foreign>{name}</Foreign> {isWriting ? 'is editing this draft' : 'has this draft open'}
          </span>
        </Text>
      ))}
    </div>
  )
}

type NewsProps = { state: DraftNow; form: DraftForm }

/** Why something is not saved, and what came back. */
export function DraftNews({ state: { isRestored, error }, form }: NewsProps): ReactNode {
  return (
    <>
      {error === null ? null : <Problem error={error} fields={fieldsOf(error, form)} />}
      {isRestored ? <Text fz={13}>Text that you typed before is back in its fields.</Text> : null}
    </>
  )
}

/** Says which fields show what somebody else saved while the page was open. */
export function NewerText({ state: { taken }, form, me }: NewsProps & { me: string }): ReactNode {
  return (
    <div role="status" aria-label="Newer text">
      {taken === null || taken.by === me ? null : <Taken taken={taken} form={form} />}
    </div>
  )
}

type TakenProps = { taken: NonNullable<DraftNow['taken']>; form: DraftForm }

function Taken({ taken: { fields, by, at }, form }: TakenProps): ReactNode {
  const names = form.fields.filter(({ id }) => fields.includes(id)).map(({ label }) => label)
  if (names.length === 0) return null
  return (
    <Text fz={13}>
      {by === null || at === null ? (
        'What is known has changed'
      ) : (
        <>
          Newer text, saved by <Foreign>{by}</Foreign>, <Moment at={at} />
        </>
      )}
      : {names.join(', ')}. It is shown here.
    </Text>
  )
}

/** Labels of the refused fields. */
function fieldsOf(error: Error, form: DraftForm): Record<string, string> {
  const fields = 'fields' in error ? (error.fields as Record<string, string>) : {}
  return Object.fromEntries(
    Object.entries(fields).map(([id, words]) => [
      form.fields.find((field) => field.id === id)?.label ?? id,
      words,
    ]),
  )
}
