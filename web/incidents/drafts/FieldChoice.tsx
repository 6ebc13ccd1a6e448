import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { draftFieldText } from '#contract/incidents/report-draft-text.ts'
import type { DraftInput, DraftValue } from '#contract/incidents/report-drafts.ts'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { Moment } from '../../kit/time/Time.tsx'
import styles from './Draft.module.css'
import type { Choice, FieldChange } from './draft-changes.ts'

type Props = {
  name: string
  input: DraftInput
  theirs: NonNullable<FieldChange['theirs']>
  /** The saved value. */
  saved: DraftValue | undefined
  onChoose: (choice: Choice) => void
}

/** Two people edited the same field: both texts are shown, and neither is lost until one is chosen. */
export function FieldChoice({ name, input, theirs, saved, onChoose }: Props): ReactNode {
  const canJoin = (input.kind === 'text' || input.kind === 'list') && saved !== undefined
  const { by, at } = theirs
  return (
    <div role="group" aria-label={`${name}: two texts`} className={styles['choice']}>
      <Text fw={600} fz={13}>
        {by === null ? 'What is known has changed meanwhile:' : <SavedBy by={by} at={at} />}
      </Text>
      <div className={styles['theirs']}>
        {saved === undefined || saved.length === 0 ? (
          <span className="dimmed">The field was emptied.</span>
        ) : (
          <ForeignLines>{draftFieldText(input, saved)}</ForeignLines>
        )}
      </div>
      <Group gap={6}>
        <Choose choice="mine" onChoose={onChoose}>
          Keep my text
        </Choose>
        <Choose choice="theirs" onChoose={onChoose}>
          Take this text
        </Choose>
        {canJoin ? (
          <Choose choice="both" onChoose={onChoose}>
            Put both in the field
          </Choose>
        ) : null}
      </Group>
    </div>
  )
}

function SavedBy({ by, at }: { by: string; at: string | null }): ReactNode {
  return (
    <>
      <Foreign>{by}</Foreign> wrote meanwhile
      {at === null ? null : (
        <>
          , saved <Moment at={at} />
        </>
      )}
      :
    </>
  )
}

type ChooseProps = { choice: Choice; onChoose: (choice: Choice) => void; children: string }

function Choose({ choice, onChoose, children }: ChooseProps): ReactNode {
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() => {
        onChoose(choice)
      }}
    >
      {children}
    </Button>
  )
}
