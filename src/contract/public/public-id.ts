/** Ids of ours: the name of a source before the CVE, or the entry of EUVD, that its record is about. A regular expression, also for SQL. */
export const internalId = '^[A-Z][A-Z0-9-]*:(?=(CVE|EUVD)-)'

const sourceName = new RegExp(internalId)

/** As whoever gave a vulnerability its id writes it: `EUVD:EUVD-2024-1` is `EUVD-2024-1`, `NVD:CVE-2024-1` is `CVE-2024-1`. */
export function publicId(id: string): string {
  return id.replace(sourceName, '')
}
