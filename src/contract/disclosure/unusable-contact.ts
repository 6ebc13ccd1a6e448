import { Type, type Static } from 'typebox'

/** An address that is shown to whoever reports a vulnerability and is no e-mail address, and whose settings it is in. */
export const UnusableContact = Type.Object({
  setting: Type.Enum(['company', 'disclosure']),
  address: Type.String(),
})
export type UnusableContact = Static<typeof UnusableContact>
