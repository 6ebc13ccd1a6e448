/** Separates ecosystem and name; control characters are refused on both sides, so it cannot occur in either. */
const separator = '\u001f'

/** Longer names are no registry's names, and their keys would not fit an index row. */
const maxNameLength = 512

const controlCharacter = /\p{Cc}/u

/**
 * The text under which components and affected ranges meet: ecosystem and name as the registry compares it.
 * Undefined for a name that no registry could hold.
 */
export function packageKey(ecosystem: string, name: string): string | undefined {
  if (name === '' || name.length > maxNameLength || controlCharacter.test(name)) return undefined
  return ecosystem + separator + name
}
