import { notifications } from '@mantine/notifications'
import { visibleText } from '#contract/hidden-characters.ts'
import { errorWords } from './error-words.ts'
import { ApiFailure, isFailure } from './request.ts'

/** Says why an act failed that has no form or dialog to say it in: what is chosen in a menu, a switch, a dialog that was left. */
export function tellRefusal(error: unknown): void {
  // Said by the dialog that asks to sign in again.
  if (isFailure(error, 'signed_out')) return
  const { what, next } = errorWords(error)
  // no field is marked that could say what is wrong with it
  const ofFields = error instanceof ApiFailure ? Object.values(error.fields) : []
  const words = [what, ...(ofFields.length === 0 ? [next] : ofFields)].join(' ')
  // a hash or a name without spaces is shown whole
  const style = { overflowWrap: 'anywhere' } as const
  notifications.show({ message: visibleText(words), color: 'red.9', withBorder: true, style })
}
