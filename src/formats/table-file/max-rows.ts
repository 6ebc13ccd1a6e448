import { ServiceError } from '../../contract/errors.ts'

/** So that the usual programs can open the file. */
export const maxRows = 1_000_000

/** `narrower`: what to do about it. Codes: `invalid_request` when a list has more rows than a file may. */
export function refuseTooMany(rows: number, narrower = 'set a filter first'): void {
  if (rows <= maxRows) return
  throw new ServiceError('invalid_request', { message: `There are more than ${maxRows} rows: ${narrower}.` })
}
