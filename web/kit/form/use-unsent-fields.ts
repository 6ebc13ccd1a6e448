import { useContext } from 'react'
import { TypedInDialog, useUnsent } from '../unsaved/unsent.ts'
import { isSame } from './merge-untouched.ts'
import { isToBeTypedAgain, isTypedInto } from './typed-fields.ts'
import type { Following } from './use-following.ts'

type Fields<Values> = {
  getValues: () => Values
  getInputNode: (field: string) => HTMLElement | null
}

/** Warns when leaving a form whose fields differ from the service's values. Returns how to discard them. */
export function useUnsentFields<Values extends Record<string, unknown>>(
  fields: Fields<Values>,
  following: Following<Values>,
  isSending: boolean,
): () => void {
  const isInDialog = useContext(TypedInDialog) !== null
  /** In a dialog, a choice is as quick to make again as the question is to answer. */
  function counts(field: string): boolean {
    const node = fields.getInputNode(field)
    return isInDialog ? isTypedInto(node) : !isToBeTypedAgain(node)
  }
  function isChanged(): boolean {
    const before = following.before()
    return Object.entries(fields.getValues()).some(
      ([field, value]) => !isSame(value, before[field]) && counts(field),
    )
  }
  const giveUp = () => {
    following.note(fields.getValues())
  }
  useUnsent({ isUnsent: () => !isSending && isChanged(), isSending: () => isSending, giveUp })
  return giveUp
}
