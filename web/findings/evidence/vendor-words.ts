import { visibleText } from '#contract/hidden-characters.ts'
import type { VendorStatement } from '#contract/vulnerabilities/vendor-words.ts'
import { justifications } from '#contract/vex/shapes.ts'
import { justificationWords } from '../verdict.ts'

/** The vendor's statement in a few words: `Not affected: the vulnerable code is not present`. */
export function statusWords({ status, remedy, justification, fixedIn }: VendorStatement): string {
  switch (status) {
    case 'known_affected':
      return remedy === null || remedy === 'Affected' ? 'Affected' : `Affected: ${lowered(remedy)}`
    case 'under_investigation':
      return 'Under investigation'
    case 'fixed':
      return fixedIn === null ? 'Fixed' : `Fixed in ${visibleText(fixedIn)}`
    case 'known_not_affected':
      return justification === null ? 'Not affected' : `Not affected: ${reasonWords(justification)}`
  }
}

function reasonWords(label: string): string {
  const known = justifications.find((each) => each === label)
  return known === undefined ? label.replaceAll('_', ' ') : lowered(justificationWords[known].name)
}

function lowered(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1)
}

/** The page of a Red Hat advisory. */
export function advisoryAddress(advisory: string): string {
  return `https://access.redhat.com/errata/${encodeURIComponent(advisory)}`
}
