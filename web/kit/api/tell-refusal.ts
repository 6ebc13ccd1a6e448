import { notifications } from '@mantine/notifications'
import { visibleText } from '#contract/hidden-characters.ts'
import { errorWords } from './error-words.ts'
import { ApiFailure, isFailure } from './request.ts'

/** Says why an act failed that has no form or dialog to show it: menu items, switches, closed dialogs. `of` names what it was about. */
export function tellRefusal(error: unknown, of?: string): void {
  // The sign-in dialog says it.
  if (isFailure(error, 'signed_out')) return
  const { what, next } = errorWords(error)
  // no field can show the problem
  const ofFields = error instanceof ApiFailure ? Object.values(error.fields) : []
  const words = [
    ...(of === undefined ? [] : [`${of}:`]),
    what,
    ...(ofFields.length === 0 ? [next] : ofFields),
  ].join(' ')
  // show a long hash or name in full
  const style = { overflowWrap: 'anywhere' } as const
  notifications.show({ message: visibleText(words), color: 'red.9', withBorder: true, style })
}
