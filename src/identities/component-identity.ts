import type { VersionScheme } from '../versions/ordering.ts'
import type { IdentityKey } from './identity-key.ts'
import type { Decidability, IdentityBasis } from '../contract/identity.ts'

/** What a component is to vulnerability data; shared by every workspace that has the component. */
export type ComponentIdentity = {
  /** OSV directory name; `cpe` for a component identified by CPE; null when none covers it. */
  ecosystem: string | null
  packageKey: string | null
  /** '' when the ecosystem has no releases; null when it has and the component's is unknown, or nothing covers it. */
  release: string | null
  /** The version that is compared: that of the source where data is by source, epoch included; '' when there is none. */
  version: string
  scheme: VersionScheme | null
  versionKey: Uint8Array | null
  /** The line of fixes inside a release (streams.ts); '' for the ordinary one. */
  stream: string
  /**
   * Without a package key: names the component, so that coverage counts it once. With one: data decide only where a record names the
   * package. '' otherwise.
   */
  subject: string
  decidability: Decidability
  /** English sentence when decidability is not `covered`. */
  reason: string | null
  basis: IdentityBasis
  /** Taken for a source of its own because nothing else is stated: records may tell what it was built from. */
  mayBeBuilt: boolean
  /** Further keys under which records may be about it, without the key above. An identity without a package key may only have names (`product-names`). */
  further: IdentityKey[]
}
