import { ApiFailure } from '../api/request.ts'
import { ChangedMeanwhile } from './changed-meanwhile.ts'

/** Problems by field, in words. A field inside a list is named by its path: `events.0`. */
export type FieldErrors = Record<string, string>

/** What the service refused, by field; empty when the refusal is about something else. */
export function fieldErrors(error: unknown): FieldErrors {
  if (error instanceof ChangedMeanwhile) return error.fields
  if (!(error instanceof ApiFailure)) return {}
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, words]) => [field.replaceAll('/', '.'), words]),
  )
}

/** What is shown above the form; `unshown` are refused fields that the form does not have. */
export type FormRefusal = { error: unknown; unshown: FieldErrors }

/** Undefined if nothing was refused, or if the fields show all of it; that others have changed fields is said above a long form, too. */
export function formRefusal(
  error: unknown,
  fields: FieldErrors,
  shown: readonly string[],
): FormRefusal | undefined {
  if (error === null) return undefined
  const refused = Object.entries(fields)
  const unshown = refused.filter(([field]) => !shown.some((name) => isOf(name, field)))
  const isSaidTwice = error instanceof ChangedMeanwhile
  if (!isSaidTwice && refused.length > 0 && unshown.length === 0) return undefined
  return { error, unshown: Object.fromEntries(unshown) }
}

function isOf(name: string, field: string): boolean {
  return field === name || field.startsWith(`${name}.`)
}
