import { parsePurl, type Purl } from '../formats/purl/purl.ts'
import type { SbomComponent, SbomDocument } from '../formats/sbom/document.ts'
import { statedVersion } from '../formats/stated-version.ts'
import { goPath, isOfGoItself, readLanguagePackage } from './language-package.ts'
import { purlSubject, type PackageReading } from './package-reading.ts'

/**
 * The modules of Go that a document lists, by path and version, with their type: an application is the main module, whose version may be stamped.
 * Records name modules, and no path tells where the one of a package ends.
 */
export type GoModules = ReadonlyMap<string, { type: string | null }>

/** None where no package needs them: cyclonedx-gomod lists packages only when it is asked to. */
export function goModulesIn({ main, components }: Pick<SbomDocument, 'main' | 'components'>): GoModules {
  const modules = new Map<string, { type: string | null }>()
  if (!components.some(({ purl }) => purl?.includes('type=package') === true)) return modules
  for (const { purl: text, type } of main === null ? components : [main, ...components]) {
    const purl = goPurl(text)
    if (purl === undefined || isGoPackage(purl)) continue
    const key = keyOf(goPath(purl), purl.version)
    if (!modules.has(key)) modules.set(key, { type })
  }
  return modules
}

/** Whether a purl names a package inside a module other than Go's own: `pkg:golang/golang.org/x/net/html@v0.1.0?type=package`. */
export function isGoPackage(purl: Purl): boolean {
  return purl.type === 'golang' && purl.qualifiers.get('type') === 'package' && !isOfGoItself(purl)
}

/**
 * Where the document lists its module, a package has nothing of its own: what is found is found on the module, and statements on that settle it. Without
 * the module nothing is compared.
 */
export function readGoPackage(purl: Purl, component: SbomComponent, modules: GoModules): PackageReading {
  const listed = moduleOfPackage(purl, modules)
  const read = listed && readLanguagePackage(purl, { ...component, type: listed.type })
  if (read !== undefined) return read
  const reason =
    'Records name modules of Go, and the document does not list the one that this package is from in the same version.'
  const version = statedVersion(purl.version)
  return { kind: 'not_covered', reason, subject: purlSubject(purl), version, mayUseCpe: false }
}

/** What the document says of the module of a component that is a package; null for all others, and where it lists none. */
export function decidingModule({ purl: text }: SbomComponent, modules: GoModules): unknown {
  const purl = goPurl(text)
  const listed = purl !== undefined && isGoPackage(purl) ? moduleOfPackage(purl, modules) : undefined
  return listed === undefined ? null : ['of a module', listed.type]
}

/** The listed module with the longest path that a package lies below, in the same version. */
function moduleOfPackage(purl: Purl, modules: GoModules): { type: string | null } | undefined {
  const path = goPath(purl)
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const found = modules.get(keyOf(path.slice(0, end), purl.version))
    if (found !== undefined) return found
  }
  return undefined
}

function goPurl(text: string | null): Purl | undefined {
  return text?.startsWith('pkg:golang/') === true ? parsePurl(text) : undefined
}

function keyOf(path: string, version: string | null): string {
  return `${path}@${version ?? ''}`
}
