import type { FormTrouble } from './words/words.ts'

export const troubleStatus: Record<FormTrouble, number> = {
  stale: 422,
  sent_twice: 409,
  too_large: 413,
  too_much_text: 413,
  no_room: 413,
  too_many_files: 413,
  thread_full: 413,
  empty_file: 422,
  not_utf8: 400,
  broken: 400,
  fields: 422,
  too_often: 429,
  not_stored: 503,
}

export function retryAfterOf(trouble: FormTrouble | null): string | undefined {
  if (trouble === 'too_often') return '3600'
  return trouble === 'not_stored' ? '60' : undefined
}
