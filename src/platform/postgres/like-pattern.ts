/** What `like` and `ilike` compare with to find a text anywhere in a column: none of its characters stands for another. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
