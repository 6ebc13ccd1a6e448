import { ApiFailure } from '../api/request.ts'

/** What is wrong with each field of the form that was sent; empty when the refusal is about something else. */
export function fieldErrors(error: unknown): Record<string, string> {
  return error instanceof ApiFailure ? error.fields : {}
}

/** The refusal to show above the form: undefined when its fields already say all. */
export function formError(error: unknown, shownFields: readonly string[]): unknown {
  if (error === null) return undefined
  const fields = Object.keys(fieldErrors(error))
  return fields.length > 0 && fields.every((field) => shownFields.includes(field)) ? undefined : error
}
