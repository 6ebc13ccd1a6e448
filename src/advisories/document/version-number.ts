import type { PublicationKind } from '../../contract/advisories/shapes.ts'

export const firstNumber = '1.0.0'

/** The number after `number`: an update is a minor step and begins its patches again, a correction a patch. */
export function nextNumber(number: string, kind: Exclude<PublicationKind, 'first'>): string {
  const [major = 0, minor = 0, patch = 0] = number.split('.').map(Number)
  return kind === 'update' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}
