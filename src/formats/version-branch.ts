/** Larger than any number in a real version, and readable by every order. */
const beyondAll = '9'.repeat(18)

const branchForm = /^(v?\d+(?:\.\d+)*)(?:\.[*x])+$/i

/**
 * What compares above every version of a branch (`6.1.*`, CVE Record Format 5.1, `lessThanOrEqual`) and below the next branch; any other
 * text stands for itself.
 */
export function endOfBranch(text: string): string {
  const branch = branchForm.exec(text)?.[1]
  return branch === undefined ? text : `${branch}.${beyondAll}`
}

/** Its first version, where a range begins with the branch (`2.6.x`, fixed in 2.6.18); any other text stands for itself. */
export function startOfBranch(text: string): string {
  return branchForm.exec(text)?.[1] ?? text
}
