/** Ids of ours: the name of a source before the CVE, or the entry of EUVD, that its record is about. A regular expression, also for SQL. */
export const internalId = '^[A-Z][A-Z0-9-]*:(?=(CVE|EUVD)-)'

const sourceName = new RegExp(internalId)

/** As the issuer of the id writes it: `EUVD:EUVD-2024-1` is `EUVD-2024-1`, `NVD:CVE-2024-1` is `CVE-2024-1`. */
export function publicId(id: string): string {
  return id.replace(sourceName, '')
}

/**
 * How a record's own id names the CVE or the entry of EUVD that it is about, whichever source or distribution wrote the record:
 * `DEBIAN-CVE-2024-1`, `CISA-VULNRICHMENT:CVE-2024-1`. A regular expression, also for SQL.
 */
export const recordOfId = '^[A-Z][A-Z0-9-]*(:|-)(?=(CVE|EUVD)-[0-9]+-[0-9]+$)'

const recordName = new RegExp(recordOfId)

/** The vulnerability that a record's id names: `DEBIAN-CVE-2024-1` and `NVD:CVE-2024-1` are records of CVE-2024-1. Other ids stay as they are. */
export function vulnerabilityId(id: string): string {
  return id.replace(recordName, '')
}

/** The other ids of a vulnerability, each once; `id` is its name. */
export function otherIds(id: string | null, ids: readonly string[]): string[] {
  const others = new Set(ids.map(vulnerabilityId))
  if (id !== null) others.delete(vulnerabilityId(id))
  return [...others]
}

/** All ids of a vulnerability, each once, its name first. */
export function allIds(id: string, others: readonly string[]): string[] {
  return [id, ...otherIds(id, others)]
}
