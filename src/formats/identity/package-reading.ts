import type { Purl } from '../purl/purl.ts'
import type { Ecosystem } from './ecosystems.ts'

/** What a purl says about the package behind it. */
export type PackageReading =
  | {
      kind: 'package'
      ecosystem: Ecosystem
      name: string
      /** '' when none is stated. */
      version: string
      /** '' when the ecosystem has no releases; null when it has and the package's is unknown. */
      release: string | null
      /** streams.ts */
      stream: string
      /** Names the package where data decide about it only if a record names it; '' otherwise. */
      subject: string
      /** From another registry than the one its records are about. */
      isForeign: boolean
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
