import type { OperatingSystem, SbomDocument } from '../formats/sbom/document.ts'
import { withAgreedRelease } from './distributions/agreed-release.ts'
import { kindsWithSources } from './distributions/source-package.ts'

/** The part of the document on which a component's identity depends. */
export type Surroundings = {
  operatingSystem: OperatingSystem | null
  /** Kinds of package whose source the document states of some, and leaves out where it is called as the package. */
  kindsWithSources: ReadonlySet<string>
}

/** For a component by itself. */
export const noSurroundings: Surroundings = { operatingSystem: null, kindsWithSources: new Set() }

export function surroundingsIn({
  operatingSystem,
  components,
}: Pick<SbomDocument, 'operatingSystem' | 'components'>): Surroundings {
  return {
    operatingSystem: withAgreedRelease(operatingSystem, components),
    kindsWithSources: kindsWithSources(components),
  }
}
