import { parsePurl, type Purl } from '../../purl/purl.ts'
import type { SbomComponent } from '../../sbom/document.ts'
import { isDistribution } from '../cpe-identity.ts'
import { ecosystemNamed } from '../ecosystems.ts'
import type { NamedPackage } from '../package-reading.ts'
import { statedVersion } from '../stated-version.ts'
import { kernelRepository, readRepository } from './repository.ts'
import { versionOfTag } from './tag-version.ts'

/** Purl types that name a repository, with the host that they are of. */
const hosts = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['bitbucket', 'bitbucket.org'],
])

/**
 * Purl types of which nobody publishes data, or none that name all of their packages: mostly C and C++. Of all others the registry or
 * distribution decides, wherever their source may lie.
 */
const withoutData = new Set([...hosts.keys(), 'generic', 'conan', 'vcpkg', 'bazel', 'yocto'])

/**
 * The repositories that a component names, as records on repositories call them: by its purls, by the `vcs_url` in them, and by what the document
 * says beside them. Data decide by one only where a record names it, but for the kernel, on all of which its own records speak.
 */
export function repositoriesOf(purls: readonly string[], component: SbomComponent): NamedPackage[] {
  if (isDistribution(component)) return []
  const read = purls.map(parsePurl).filter((purl) => purl !== undefined)
  if (read.length < purls.length || !read.every(({ type }) => withoutData.has(type))) return []
  const named = [
    ...read.flatMap((purl) =>
      [addressOf(purl), purl.qualifiers.get('vcs_url')].map((address) => ({ address, purl })),
    ),
    { address: component.repository, purl: read[0] },
  ]
  const packages = new Map<string, NamedPackage>()
  for (const { address, purl } of named) {
    for (const one of packagesOf(address, purl, component))
      packages.set(
        `${one.ecosystem.name} ${one.name}`,
        packages.get(`${one.ecosystem.name} ${one.name}`) ?? one,
      )
  }
  return [...packages.values()]
}

/** Whether a repository is that of the kernel. */
export function isKernel({ ecosystem }: NamedPackage): boolean {
  return ecosystem.name === 'Linux'
}

/** A purl of a host names the repository itself; some write all segments of a group into the name. */
function addressOf({ type, namespace, name, qualifiers }: Purl): string | undefined {
  const host = hosts.get(type)
  if (host === undefined) return undefined
  const instance = /^(?:https?:\/\/)?([\w.-]+)/.exec(qualifiers.get('repository_url') ?? '')?.[1]
  return [`https://${instance ?? host}`, namespace, name].filter((part) => part !== null).join('/')
}

function packagesOf(
  address: string | undefined,
  purl: Purl | undefined,
  component: SbomComponent,
): NamedPackage[] {
  const repository = address === undefined ? undefined : readRepository(address)
  const git = ecosystemNamed('GIT')
  const linux = ecosystemNamed('Linux')
  if (repository === undefined || git === undefined || linux === undefined) return []
  const { name, ref } = repository
  const stated = statedVersion(purl?.version ?? component.version)
  const version = versionOfTag(stated === '' ? statedVersion(ref) : stated, name)
  const place = { version, release: '', stream: '' }
  const own = { ...place, ecosystem: git, name, needsRecord: true }
  return name === kernelRepository
    ? [{ ...place, ecosystem: linux, name: 'Kernel', needsRecord: false }, own]
    : [own]
}
