/** The pattern with which `like` and `ilike` find a text anywhere in a column: none of its characters is a wildcard. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

const maxSoughtCharacters = 200

/** What is looked for, as far as it is read; '' where nothing is. */
export function soughtText(typed: string | undefined): string {
  return typed?.trim().slice(0, maxSoughtCharacters) ?? ''
}
