import { parsePurl, type Purl } from '../../formats/purl/purl.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'

/** The source an operating-system package was built from, as far as the SBOM says. */
export type SourcePackage = {
  name: string
  /** null when it is the version of the built package. */
  version: string | null
  epoch: string | null
}

/**
 * From the purl's `upstream` (Syft: `util-linux@2.36.1-8`, `bind-9.11.36-5.el8.src.rpm`), else from what the generator
 * recorded beside the purl; null when neither says, and the package then stands for its source.
 */
export function sourceOf(purl: Purl, component: SbomComponent): SourcePackage | null {
  const upstream = upstreamOf(purl)
  if (upstream !== null) return upstream
  const { source } = component
  if (source === null || source.name.trim() === '') return null
  const read = readUpstream(source.name)
  return {
    name: read.name,
    version: source.version?.trim() ?? read.version,
    epoch: source.epoch ?? read.epoch,
  }
}

/** The source that the purl itself names. */
export function upstreamOf(purl: Purl): SourcePackage | null {
  const upstream = purl.qualifiers.get('upstream')
  return upstream === undefined ? null : readUpstream(upstream)
}

/** The kinds whose packages are not covered without a source, unless a record names them. */
const kindsBySource: ReadonlySet<string> = new Set(['deb', 'rpm', 'apk', 'alpine'])
const kindsLeavingOut = ['deb', 'apk', 'alpine'].map((kind) => ({ kind, beginning: `pkg:${kind}/` }))

/**
 * Kinds of package whose source the document leaves out where it is called as the package, and states of others: there one without is its own source. Of deb
 * that is how dpkg's own database writes it (deb-control, "Source"), which Syft copies into purls, as it does with origins of apk. Trivy states every source, the
 * header of an rpm always has one, and dpkg states that of a rebuild (`+b1`): where most of these are missing, sources were lost.
 */
export function kindsWithSources(components: Iterable<SbomComponent>): ReadonlySet<string> {
  const kinds = new Set<string>()
  const rebuilds = { stated: 0, lost: 0 }
  for (const component of components) {
    const { purl } = component
    const kind = kindsLeavingOut.find(({ beginning }) => purl?.startsWith(beginning))?.kind
    if (kind === undefined) continue
    if (purl?.includes('upstream=') === true) kinds.add(kind)
    if (isRebuilt(component)) rebuilds[statesSource(component) ? 'stated' : 'lost'] += 1
  }
  if (rebuilds.lost > 0 && rebuilds.lost >= rebuilds.stated) kinds.delete('deb')
  return kinds
}

/** By Debian: others count builds so as well. */
function isRebuilt({ purl, version }: SbomComponent): boolean {
  if (purl?.startsWith('pkg:deb/debian/') !== true) return false
  return [version, parsePurl(purl)?.version].some((each) => rebuilt.test(each ?? ''))
}

/** Debian counts rebuilds of the same source as `+b1` (Debian Policy 5.6.12). */
export const rebuilt = /\+b\d{1,4}$/

/** Whether a component itself says what it was built from. */
export function statesSource({ purl, source }: SbomComponent): boolean {
  return source !== null || purl?.includes('upstream=') === true
}

/** Whether nothing in the document says what source a package was built from; a source package is its own. */
export function hasLostSource(
  purl: Purl,
  component: SbomComponent,
  withSources: ReadonlySet<string>,
): boolean {
  if (signedSource(purl.name) !== null) return false
  const isLeftOut = withSources.has(purl.type) && !(purl.type === 'deb' && builtName.test(purl.name))
  const isBySource = kindsBySource.has(purl.type) && !isLeftOut
  return isBySource && sourceOf(purl, component) === null && !isSourceArchitecture(purl)
}

export function isSourceArchitecture({ qualifiers }: Purl): boolean {
  return sourceArchitectures.has(qualifiers.get('arch') ?? '')
}

/** Never the name of a source, as Debian's lists of packages show. */
const builtName = new RegExp(
  [
    String.raw`^linux-(?:buildinfo|cloud-tools|compiler|config|cpupower|headers|image|kbuild|libc-dev|modules|perf|support|tools)(?:-|$)`,
    String.raw`^(?:gcc-\d+-base|libgcc-s\d|libstdc\+\+\d)`,
    String.raw`^(?:libpython\d|python\d$|python\d(?:\.\d+)?-(?:dev|distutils|full|minimal|venv)$)`,
    String.raw`^gir1\.2-`,
    String.raw`^lib.+-dev$`,
    String.raw`-dbg(?:sym)?$`,
  ].join('|'),
)

const sourceArchitectures = new Set(['source', 'src', 'nosrc'])

function readUpstream(text: string): SourcePackage {
  const trimmed = text.trim()
  if (trimmed.endsWith('.rpm')) return readSourceRpm(trimmed)
  const at = trimmed.lastIndexOf('@')
  if (at < 1) return { name: trimmed, version: null, epoch: null }
  return { name: trimmed.slice(0, at), version: trimmed.slice(at + 1) || null, epoch: null }
}

/** `name-version-release.src.rpm`; the file name has no epoch, though some tools put one in front. */
function readSourceRpm(file: string): SourcePackage {
  const [, epoch, stem = ''] = /^(?:(\d{1,10}):)?(.*?)(?:[.-](?:no)?src)?\.rpm$/.exec(file) ?? []
  const release = stem.lastIndexOf('-')
  const version = stem.lastIndexOf('-', release - 1)
  if (version < 1) return { name: stem, version: null, epoch: epoch ?? null }
  return { name: stem.slice(0, version), version: stem.slice(version + 1), epoch: epoch ?? null }
}

const architecture = '(?:amd64|arm64|armhf|i386|ia32|loong64|ppc64el|riscv64|s390x)'
/** `linux-signed-hwe-6.5`, `linux-signed-6.1-amd64`; the signature in the middle of a name is a kernel's. */
const signedKernel = new RegExp(`^linux-signed(|-.+?)(?:-${architecture})?$`)
/** `grub2-signed`, `fwupd-efi-amd64-signed`, `shim-signed`. */
const signedLoader = new RegExp(`^(.+?)(?:-${architecture})?-signed$`)
/** Packages signed for the firmware whose name differs from that of their source. */
const loaderSources = new Map([
  ['grub-efi', 'grub2'],
  ['shim-helpers', 'shim'],
  ['systemd-boot-efi', 'systemd'],
])

/**
 * Debian and Ubuntu sign kernels and boot loaders in packages of other sources, which their trackers do not know: the source without the
 * signature; null for any other.
 */
export function signedSource(name: string): string | null {
  const flavour = signedKernel.exec(name)?.[1]
  if (flavour !== undefined) return `linux${flavour}`
  const loader = signedLoader.exec(name)?.[1]
  return loader === undefined ? null : (loaderSources.get(loader) ?? loader)
}

/**
 * The version of the source in that of the signed package. A kernel's is the same. A loader's may be the signature's, then `+` and the loader's own:
 * `1.187.6~20.04.1+2.06-2ubuntu14.4`, `1.44~1+deb12u1+15.8-1~deb12u1`, or in Debian's native form `1+2.06+13+deb12u1`, `258+1`;
 * null where the loader's version does not appear.
 */
export function builtFromSigned(source: string, version: string): string | null {
  if (!version.includes('-')) {
    const [, number, revision = ''] = /^(?:\d+\+)?((?:\d+:)?\d+(?:[.~][^+]*)?)\+(\d.*)$/.exec(version) ?? []
    return number === undefined ? null : `${number}-${revision}`
  }
  const ofLoader = source.startsWith('linux') ? null : /^[^+-]+(?:\+deb\d+u\d+)?\+(\d+\..*-.*)$/.exec(version)
  return ofLoader?.[1] ?? version
}
