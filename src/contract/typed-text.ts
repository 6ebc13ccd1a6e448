/** Text with `\n` for every line end: other systems, word processors (a vertical tab) and PDF files (a form feed) have others. */
export function commonLineEnds(text: string): string {
  return text.replaceAll(/\r\n?|[\v\f\u0085]/g, '\n')
}

/** Text as somebody types or pastes it, without control characters, which nobody sees and the service refuses. */
export function typedText(text: string): string {
  return commonLineEnds(text).replaceAll(/[^\P{Cc}\t\n]/gu, '')
}

/** The same in a field of one line. */
export function typedLine(text: string): string {
  return typedText(text).replaceAll(/[\t\n]+/g, ' ')
}
