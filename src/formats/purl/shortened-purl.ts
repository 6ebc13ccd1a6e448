/**
 * A package URL of at most so many characters. One that is longer loses whole qualifiers from its end: cut in the middle of an escape
 * (`download_url=https%3A%2`) it could not be read at all. A longer name or version is left as it is.
 */
export function shortenedPurl(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const start = text.slice(0, maxCharacters + 1)
  const end = Math.max(...['?', '&', '#'].map((sign) => start.lastIndexOf(sign)))
  return end === -1 ? text : start.slice(0, end)
}
