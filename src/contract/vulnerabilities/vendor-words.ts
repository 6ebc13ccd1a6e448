import { Type, type Static } from 'typebox'
import { nullable, time } from '../schema.ts'

/** As CSAF names them, in the order in which they are told. */
export const vendorStatuses = [
  'known_affected',
  'under_investigation',
  'fixed',
  'known_not_affected',
] as const
export type VendorStatus = (typeof vendorStatuses)[number]

/** What the vendor of a package says of a CVE for it (Red Hat's VEX). It is shown beside verdicts and is none. */
export const VendorStatement = Type.Object({
  cve: Type.String(),
  /** `Red Hat`. */
  vendor: Type.String(),
  /** The release that it speaks of: `Red Hat Enterprise Linux 9`. */
  product: Type.String(),
  /** As the vendor calls it: the package, or the source that it was built from. */
  packageName: Type.String(),
  status: Type.Enum(vendorStatuses),
  /** Why it is not affected, as CSAF labels it. */
  justification: nullable(Type.String()),
  /** What comes of it where it is affected: `Will not fix`, `Fix deferred`. */
  remedy: nullable(Type.String()),
  fixedIn: nullable(Type.String()),
  advisory: nullable(Type.String()),
  /** The vendor's own word for the severity there. */
  impact: nullable(Type.String()),
  statedAt: nullable(time),
  address: Type.String(),
})
export type VendorStatement = Static<typeof VendorStatement>

/** More than these are not told of one finding or one vulnerability. */
export const shownVendorStatements = 20
