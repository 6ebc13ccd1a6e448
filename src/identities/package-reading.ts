import type { Purl } from '../formats/purl/purl.ts'
import type { Ecosystem } from './ecosystems.ts'

/** A purl of a component: as written, and parsed once for all readers. */
export type StatedPurl = { text: string; read: Purl | undefined }

/** A package by one of its names, as vulnerability data would call it. */
export type NamedPackage = {
  ecosystem: Ecosystem
  name: string
  /** '' when none is stated. */
  version: string
  /** '' when the ecosystem has no releases; null when it has and the package's is unknown. */
  release: string | null
  /** streams.ts */
  stream: string
  /** Data decide about the package only where a record names it. */
  needsRecord: boolean
  /** Whether it comes from the registry that its records are about. `name`: only its name suggests this package. */
  basis: 'purl' | 'foreign_purl' | 'name'
}

/** What a purl says about the package behind it. */
export type PackageReading =
  | {
      kind: 'package'
      named: NamedPackage
      /** The source that it was built from, where records may be filed under either name. */
      origin: NamedPackage | null
      /** Names the package where data decide about it only if a record names it; '' otherwise. */
      subject: string
      /** Whether a CPE of the component identifies it as well. */
      mayUseCpe: boolean
      /** Its source is not stated: records that tell what was built from which may know it. */
      mayBeBuilt: boolean
    }
  | {
      kind: 'not_covered'
      /** English sentence. */
      reason: string
      /** Names the package for counting coverage. */
      subject: string
      /** '' when none is stated. */
      version: string
      /** Whether a CPE of the component may identify it instead. */
      mayUseCpe: boolean
    }

/** A purl without version and qualifiers, in the spelling it came with; for counting, never for matching. */
export function purlSubject({ type, namespace, name, subpath }: Purl, spelledNamespace = namespace): string {
  const path = [type, spelledNamespace, name].filter((part) => part !== null).join('/')
  return `pkg:${path}${subpath === null ? '' : `#${subpath}`}`
}
