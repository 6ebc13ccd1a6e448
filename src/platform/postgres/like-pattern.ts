/** The pattern with which `like` and `ilike` find a text anywhere in a column: none of its characters is a wildcard. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
