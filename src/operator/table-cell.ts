import { html, type Html } from '../html/html.ts'

/** A cell with the label that it has on a phone, where one without a value is left out. */
export function cell(label: string, value: Html | string | null, kind = ''): Html {
  const classes = value === null ? `${kind} none` : kind
  return html`<td class="${classes.trim()}" data-label="${label}">${value ?? '–'}</td>`
}
