import { Type, type Static } from 'typebox'

/** An address shown to reporters of vulnerabilities that is not an e-mail address, and whose settings it is in. */
export const UnusableContact = Type.Object({
  setting: Type.Enum(['company', 'disclosure']),
  address: Type.String(),
})
export type UnusableContact = Static<typeof UnusableContact>
