import type { ReactNode } from 'react'
import { ConfirmModal, type Question } from '../form/ConfirmModal.tsx'
import { useConfirmedAct, type ConfirmedAct } from '../form/use-confirmed-act.ts'
import { ActionButton, type ActionButtonProps } from './ActionButton.tsx'

type Props<Output> = Omit<ActionButtonProps, 'onClick'> & { act: ConfirmedAct<Output>; question: Question }

/** A button for an act that asks first. */
export function ConfirmedButton<Output>({ act, question, ...button }: Props<Output>): ReactNode {
  const { ask, confirmation } = useConfirmedAct(act)
  return (
    <>
      <ActionButton variant="default" {...button} onClick={ask} />
      <ConfirmModal {...question} {...confirmation} />
    </>
  )
}
