const nameForm = /^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,79}$/
const prefix = 'osv:'

export function isEcosystemName(text: string): boolean {
  return nameForm.test(text)
}

/** The data source of an ecosystem's records. */
export function sourceName(ecosystem: string): string {
  return prefix + ecosystem
}

/** The ecosystem whose records a row of `data_source` is about; undefined for any other source. */
export function ecosystemOfSource(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

export const reconcilePrefix = 'osv-reconcile:'

/** The row that keeps when an ecosystem was last compared with its whole file, beside the row of its deltas. */
export function reconcileName(ecosystem: string): string {
  return reconcilePrefix + ecosystem
}
