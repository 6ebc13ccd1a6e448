/** What the audit trail calls an SBOM or a VEX document: `Pump 2.4.1`; `Pump` where it names no version. */
export function productName(family: string, version: string | null): string {
  return version === null ? family : `${family} ${version}`
}
