import { affectedPackage } from '../../identities/affected-package.ts'
import { otherSpellings } from '../../identities/registries/other-spellings.ts'
import { readRecord } from './read-record.ts'

/** The fixed versions that a stored record names in a project's own numbering, joined; null where it names none. */
export function customFixOf(
  { recordId, document }: { recordId: string; document: string },
  packageKey: string,
): string | null {
  const isMeant = (key: string | undefined) =>
    key !== undefined && (key === packageKey || otherSpellings(key).includes(packageKey))
  const fixes = readRecord(JSON.parse(document), recordId)
    .affected.filter(({ ecosystem, name }) => isMeant(affectedPackage(ecosystem, name)?.packageKey))
    .flatMap(({ customFixes }) => customFixes ?? [])
  return fixes.length === 0 ? null : [...new Set(fixes)].join(', ')
}
