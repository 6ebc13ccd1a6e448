import { useContext } from 'react'
import { TypedInDialog, useUnsent } from '../unsaved/unsent.ts'
import { isSame } from './merge-untouched.ts'
import { isToBeTypedAgain, isTypedInto } from './typed-fields.ts'
import type { Following } from './use-following.ts'

type Fields<Values> = {
  getValues: () => Values
  getInputNode: (field: string) => HTMLElement | null
}

/** Whoever leaves the form is asked while its fields say something else than the service has. Returns what gives that up. */
export function useUnsentFields<Values extends Record<string, unknown>>(
  fields: Fields<Values>,
  following: Following<Values>,
  isSending: boolean,
): () => void {
  const isInDialog = useContext(TypedInDialog) !== null
  /** In a dialog a choice is made again as fast as the question is answered. */
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
