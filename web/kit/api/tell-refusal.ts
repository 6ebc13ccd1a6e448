import { notifications } from '@mantine/notifications'
import { visibleText } from '#contract/hidden-characters.ts'
import { errorWords } from './error-words.ts'
import { isFailure } from './request.ts'

/** Says why an act failed that has no form or dialog of its own to say it in: what is chosen in a menu, a switch. */
export function tellRefusal(error: Error): void {
  // Said by the dialog that asks to sign in again.
  if (isFailure(error, 'signed_out')) return
  const { what, next } = errorWords(error)
  notifications.show({ message: visibleText(`${what} ${next}`), color: 'red.9', withBorder: true })
}
