import { typeOfPurl, type Purl } from '../../formats/purl/purl.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import { isDistribution } from '../cpe-identity.ts'
import { tagInOrder } from '../cpe-reading.ts'
import { registryOf, systemPurlTypes } from '../ecosystems.ts'
import { assessVersion, type IdentityKey } from '../identity-key.ts'
import type { StatedPurl } from '../package-reading.ts'
import { statedVersion, withoutPortRevision } from '../../formats/stated-version.ts'
import {
  isNobody,
  isTelling,
  keyOfName,
  keyOfVendorAndName,
  nameEcosystem,
  vendorWords,
  withoutVendor,
  wordsOf,
} from './words.ts'

/** Purl types with an ecosystem, but without data on everything that their purls name: Conan recipes and repositories. */
const withoutData = new Set(['conan', 'github'])

/** Registries of languages and of models on which nobody publishes data: their names belong to bindings as often as to products. */
const ofBindings = new Set(['cpan', 'clojars', 'elm', 'huggingface', 'luarocks', 'mlflow'])

/** Components that are no product, whatever they are called. */
const noProducts = new Set(['file', 'data', 'cryptographic-asset', 'machine-learning-model'])

/**
 * The names under which records that name products by words alone may speak of a component without a CPE whose kind nobody publishes data on; its
 * matches by them are possible ones. If a component states who makes it, the name counts with that vendor only. `tagged`: its version
 * where a tag of its repository tells it. None without a version that can be ordered: a name alone is too little.
 */
export function namesOfComponent(
  component: SbomComponent,
  purls: readonly StatedPurl[],
  tagged?: string,
): IdentityKey[] {
  if (!isOpen(component, purls)) return []
  const read = purls.map((purl) => purl.read).filter((purl) => purl !== undefined)
  // a part of a repository does not have the repository's name
  if (read.length < purls.length || read.some(({ subpath }) => subpath !== null)) return []
  const [purl] = read
  const { version } = tagInOrder(tagged ?? versionOf(purl, component))
  const known = { ecosystem: nameEcosystem, release: '', version, stream: '', scheme: 'generic' } as const
  const { versionKey, decidability } = assessVersion(known)
  if (versionKey === null || isLineOfReleases(purl, version)) return []
  const rest = { origin: 'name', versionKey, decidability, basis: 'name', needsRecord: false } as const
  return keysOf(purl, component).map((packageKey) => ({ ...known, ...rest, packageKey }))
}

/** Whether its name may be that of any product, and not of a package that a registry or distribution knows. */
function isOpen(component: SbomComponent, purls: readonly StatedPurl[]): boolean {
  if (isDistribution(component) || noProducts.has(component.type ?? '')) return false
  if (purls.length === 0) return !/[/\\@]/.test(component.name) && !isOfRegistry(component.group ?? '')
  return purls.every(({ text }) => isOpenType(typeOfPurl(text).toLowerCase()))
}

function isOpenType(type: string): boolean {
  if (systemPurlTypes.has(type) || ofBindings.has(type)) return false
  return registryOf(type) === undefined || withoutData.has(type)
}

/** Groups as Maven, npm and Go write them: `org.apache.logging`, `de.acme`, `@angular`, `github.com/acme`. */
function isOfRegistry(group: string): boolean {
  return /^@|\/|^(?:com|org|net|edu|gov|info|app|dev|[a-z]{2})\.\S/.test(group)
}

/** Recipes and ports append a count of their own changes to the version of what they build. */
function versionOf(purl: Purl | undefined, component: SbomComponent): string {
  const stated = statedVersion(purl?.version ?? component.version)
  if (purl?.type === 'yocto') return stated.replace(/-r\d+(?:\.\d+)*$/, '')
  return withoutPortRevision(stated)
}

/** `v4` of an action follows the newest release of that line. */
function isLineOfReleases(purl: Purl | undefined, version: string): boolean {
  return purl?.type === 'github' && /^v?\d+$/.test(version)
}

function keysOf(purl: Purl | undefined, component: SbomComponent): string[] {
  const name = wordsOf(purl?.name ?? component.name)
  if (!isTelling(name)) return []
  const vendors = vendorsOf(purl, component)
  const keys =
    vendors.length === 0 ? [keyOfName(name)] : vendors.flatMap((vendor) => keysBeside(vendor, name))
  return [...new Set(keys.filter((key) => key !== undefined))]
}

/** As a record may write them: the project's own name, the name after the vendor's, or each separately. */
function keysBeside(vendor: readonly string[], name: readonly string[]): (string | undefined)[] {
  const rest = withoutVendor(name, vendor)
  if (rest.length === 0 || rest.join(' ') === vendor.join(' ')) return [keyOfName(vendor)]
  return [keyOfName([...vendor, ...rest]), keyOfVendorAndName(vendor, rest)]
}

/** Builders and distributors of other people's work, who are stated as the supplier of all of it. */
const passersOn = new Set(
  'openembedded,yocto,poky,buildroot,conan,conan center,conancenter,bincrafters,vcpkg,conda forge,homebrew,nixos,nixpkgs,library,docker'.split(
    ',',
  ),
)

/** By the namespace of the purl, the group and the supplier; none: the component does not say who makes it. */
function vendorsOf(purl: Purl | undefined, { group, supplier }: SbomComponent): string[][] {
  // the layer that has the recipe
  const stated = purl?.type === 'yocto' ? [supplier] : [purl?.namespace?.split('/', 1)[0], group, supplier]
  const vendors = stated
    .map((text) => vendorWords(text ?? ''))
    .filter((vendor) => !isNobody(vendor) && !passersOn.has(vendor.join(' ')))
  return [...new Map(vendors.map((vendor) => [vendor.join(' '), vendor])).values()]
}
