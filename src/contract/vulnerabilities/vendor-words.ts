import { Type, type Static } from 'typebox'
import { nullable, time } from '../schema.ts'
import { vendorStatuses } from './vendor-statuses.ts'

/** What the vendor of a package says about a CVE in it (Red Hat's VEX). It is shown beside verdicts but is not one. */
export const VendorStatement = Type.Object({
  cve: Type.String(),
  /** `Red Hat`. */
  vendor: Type.String(),
  /** The release that it is about: `Red Hat Enterprise Linux 9`. */
  product: Type.String(),
  /** As the vendor calls it: the package, or the source that it was built from. */
  packageName: Type.String(),
  status: Type.Enum(vendorStatuses),
  /** Why it is not affected, as CSAF labels it. */
  justification: nullable(Type.String()),
  /** What the vendor will do where it is affected: `Will not fix`, `Fix deferred`. */
  remedy: nullable(Type.String()),
  fixedIn: nullable(Type.String()),
  advisory: nullable(Type.String()),
  /** The vendor's own word for the severity there. */
  impact: nullable(Type.String()),
  statedAt: nullable(time),
  address: Type.String(),
})
export type VendorStatement = Static<typeof VendorStatement>

/** The maximum shown of one finding or one vulnerability. */
export const shownVendorStatements = 20
