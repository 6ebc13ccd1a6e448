import type { OperatingSystem, SbomDocument } from '../formats/sbom/document.ts'
import { withAgreedRelease } from './distributions/agreed-release.ts'
import { kindsWithSources } from './distributions/source-package.ts'
import { goModulesIn, type GoModules } from './go-packages.ts'

/** The part of the document on which a component's identity depends. */
export type Surroundings = {
  operatingSystem: OperatingSystem | null
  /** Kinds of package whose source the document states of some, and leaves out where it is called as the package. */
  kindsWithSources: ReadonlySet<string>
  goModules: GoModules
}

/** For a component by itself. */
export const noSurroundings: Surroundings = {
  operatingSystem: null,
  kindsWithSources: new Set(),
  goModules: new Map(),
}

export function surroundingsIn({
  operatingSystem,
  main,
  components,
}: Pick<SbomDocument, 'operatingSystem' | 'main' | 'components'>): Surroundings {
  return {
    operatingSystem: withAgreedRelease(operatingSystem, components),
    kindsWithSources: kindsWithSources(components),
    goModules: goModulesIn({ main, components }),
  }
}
