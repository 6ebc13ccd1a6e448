import { ApiFailure } from '../api/request.ts'

/** What is wrong by field, in words. A field inside a list is named by its path: `events.0`. */
export type FieldErrors = Record<string, string>

/** What the service refused of each field that was sent; empty when the refusal is about something else. */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiFailure)) return {}
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, words]) => [field.replaceAll('/', '.'), words]),
  )
}

/** What a refusal says above the form; `unshown` are refused fields that the form has no place for. */
export type FormRefusal = { error: unknown; unshown: FieldErrors }

/** Undefined when nothing was refused, or when the fields of the form say all of it. */
export function formRefusal(
  error: unknown,
  fields: FieldErrors,
  shown: readonly string[],
): FormRefusal | undefined {
  if (error === null) return undefined
  const refused = Object.entries(fields)
  const unshown = refused.filter(([field]) => !shown.some((name) => isOf(name, field)))
  if (refused.length > 0 && unshown.length === 0) return undefined
  return { error, unshown: Object.fromEntries(unshown) }
}

function isOf(name: string, field: string): boolean {
  return field === name || field.startsWith(`${name}.`)
}
