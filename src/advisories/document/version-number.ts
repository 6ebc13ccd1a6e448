import type { PublicationKind } from '../../contract/advisories/shapes.ts'

export const firstNumber = '1.0.0'

/** The number after `number`: an update raises the minor number and resets the patch, a correction raises the patch. */
export function nextNumber(number: string, kind: Exclude<PublicationKind, 'first'>): string {
  const [major = 0, minor = 0, patch = 0] = number.split('.').map(Number)
  return kind === 'update' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}
