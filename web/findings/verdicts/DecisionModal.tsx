import type { ReactNode } from 'react'
import type { Decision } from '#contract/findings/verdict.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import type { DecisionSubject } from './decision-draft.ts'
import { DecisionForm } from './DecisionForm.tsx'

type Props = {
  opened: boolean
  onClose: () => void
  onDecided?: () => void
  subject: DecisionSubject
  /** The decision in force, which the new one replaces. */
  present?: Decision | undefined
}

/** Asks a member for a verdict on one or many findings. */
export function DecisionModal({ opened, onClose, onDecided, subject, present }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} size={600} title={`Record a verdict on ${subject.title}`}>
      <DecisionForm subject={subject} present={present} onCancel={onClose} onDecided={onDecided ?? onClose} />
    </FormModal>
  )
}
