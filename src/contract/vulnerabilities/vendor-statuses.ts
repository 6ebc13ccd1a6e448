/** As CSAF names them, in the order in which they are shown. Commands read this list, and need no schemas for it. */
export const vendorStatuses = [
  'known_affected',
  'under_investigation',
  'fixed',
  'known_not_affected',
] as const
export type VendorStatus = (typeof vendorStatuses)[number]
