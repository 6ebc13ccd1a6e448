/** What the first line says of a file of EPSS scores: model and day. */
export const headerForm =
  /^#model_version:([\w.-]{1,40}),score_date:(\d{4}-\d{2}-\d{2})(?:T[\d:.]{1,20}(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Whether a file begins as the EPSS scores do. */
export function isEpssHeader(line: string): boolean {
  return headerForm.test(line.trim())
}
