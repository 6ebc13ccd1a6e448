import type { ReactNode } from 'react'
import { ConfirmModal, type Question } from '../form/ConfirmModal.tsx'
import { useConfirmedAct, type ConfirmedAct } from '../form/use-confirmed-act.ts'
import { ActionButton, type ActionButtonProps } from './ActionButton.tsx'

type Props<Output> = Omit<ActionButtonProps, 'onClick'> & Question & { act: ConfirmedAct<Output> }

/** A button that asks for confirmation first. */
export function ConfirmedButton<Output>(props: Props<Output>): ReactNode {
  const { act, title, consequence, verb, final = false, ...button } = props
  const { ask, confirmation } = useConfirmedAct(act)
  return (
    <>
      <ActionButton variant="default" {...button} onClick={ask} />
      <ConfirmModal title={title} consequence={consequence} verb={verb} final={final} {...confirmation} />
    </>
  )
}
