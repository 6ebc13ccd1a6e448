/** What a cell can hold. Numbers are written as numbers; only texts come from elsewhere. */
export type Cell = string | number | boolean | null

/** Excel takes a file for UTF-8 only when it begins with this. */
export const byteOrderMark = '\uFEFF'

/** The beginning of a text that a spreadsheet may calculate (OWASP, "CSV Injection"), including full-width signs. */
const formula = /^(?:[\s\p{Cf}\0]*[=+\-@＝＋－＠]|[\t\r\n])/u

/** The same after what a spreadsheet with another separator would take as the end of a cell. */
const formulaInside = /([;\t\r\n] {0,8})([=+\-@＝＋－＠])/g

/**
 * One line of CSV as RFC 4180 has it, its end included. Every text is quoted, and one that a spreadsheet would calculate gets an apostrophe
 * before the formula. A number is no text: -1 stays -1.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(',')}\r\n`
}

function written(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  return `"${harmless(cell).replaceAll('"', '""')}"`
}

function harmless(text: string): string {
  const inside = text.replaceAll(formulaInside, "$1'$2")
  return formula.test(text) ? `'${inside}` : inside
}
