const headerForm = /^"?euvd_id"?\s*,\s*"?cve_id"?$/i

/** Whether the first line of a file is the header of the mapping of EUVD ids to CVE ids. */
export function isMappingHeader(line: string): boolean {
  return headerForm.test(line.replace(/^\ufeff/, '').trim())
}
