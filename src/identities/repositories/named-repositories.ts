import type { Purl } from '../../formats/purl/purl.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import { isDistribution } from '../cpe-identity.ts'
import { ecosystemNamed } from '../ecosystems.ts'
import type { NamedPackage, StatedPurl } from '../package-reading.ts'
import { statedVersion } from '../../formats/stated-version.ts'
import { kernelRepository, readRepository } from './repository.ts'
import { commitOfPseudoVersion, snapshotOf } from '../../formats/snapshot-version.ts'
import { snapshotStream } from '../distributions/streams.ts'
import { versionOfTag } from '../../versions/tag-version.ts'

/** Purl types that name a repository, with the host that they are of. */
const hosts = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['bitbucket', 'bitbucket.org'],
])

/**
 * Purl types without data that name all their packages: mostly C and C++. For all others the registry or distribution decides, wherever
 * their source is.
 */
const withoutData = new Set([...hosts.keys(), 'generic', 'conan', 'vcpkg', 'bazel', 'yocto'])

/**
 * The repositories that a component names, as records on repositories call them: by its purls, by the `vcs_url` in them, and by what the document
 * says beside them. Data decide by one only where a record names it, except for the kernel, whose own records name each of its vulnerabilities.
 */
export function repositoriesOf(purls: readonly StatedPurl[], component: SbomComponent): NamedPackage[] {
  if (isDistribution(component)) return []
  if (!purls.every(({ read }) => read !== undefined && withoutData.has(read.type))) return []
  const read = purls.map((purl) => purl.read).filter((purl) => purl !== undefined)
  const named = [
    ...read.flatMap((purl) => addressesOf(purl).map((address) => ({ address, purl }))),
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

/** Where the repositories lie that a purl names, of a type without data of its own. */
export function addressesOf(purl: Purl): string[] {
  if (!withoutData.has(purl.type)) return []
  return [addressOf(purl), purl.qualifiers.get('vcs_url')].filter((address) => address !== undefined)
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
  if (repository === undefined) return []
  const { name: own, ref } = repository
  const stated = statedVersion(purl?.version ?? component.version)
  const { version, isBehind } = versionIn(stated === '' ? statedVersion(ref) : stated, own)
  const names = [...filedElsewhere(own), { ecosystem: 'GIT', name: own, isWhole: false }]
  return names.flatMap(({ ecosystem: known, name, isWhole }) => {
    const ecosystem = ecosystemNamed(known)
    const stream = isBehind && ecosystem?.scheme === 'generic' ? snapshotStream : ''
    return ecosystem === undefined
      ? []
      : [{ ecosystem, name, version, release: '', stream, needsRecord: !isWhole, basis: 'purl' }]
  })
}

/** A snapshot counts as the tag behind which it was made; where Go names none, as its commit. */
function versionIn(stated: string, repository: string): { version: string; isBehind: boolean } {
  const commit = commitOfPseudoVersion(stated)
  if (commit !== undefined) return { version: commit, isBehind: false }
  const snapshot = snapshotOf(stated)
  const version = versionOfTag(snapshot?.tag ?? stated, repository)
  return { version, isBehind: snapshot !== undefined && !snapshot.isAtTag }
}

/** Ecosystems whose packages are known by their repository. `isWhole`: their records speak of all vulnerabilities of it. */
const filings: { ecosystem: string; repository: RegExp; names: string[]; isWhole: boolean }[] = [
  {
    ecosystem: 'Linux',
    repository: new RegExp(`^${RegExp.escape(kernelRepository)}$`),
    names: ['Kernel'],
    isWhole: true,
  },
  {
    ecosystem: 'Android',
    repository: /^android\.googlesource\.com\/(.+)$/,
    names: ['$1'],
    isWhole: false,
  },
  {
    ecosystem: 'GHC',
    repository: /^(?:gitlab\.haskell\.org|github\.com)\/ghc\/ghc$/,
    names: ['compiler', 'GHCi', 'RTS'],
    isWhole: false,
  },
]

function filedElsewhere(repository: string): { ecosystem: string; name: string; isWhole: boolean }[] {
  return filings
    .filter((filing) => filing.repository.test(repository))
    .flatMap(({ ecosystem, repository: pattern, names, isWhole }) =>
      names.map((name) => ({ ecosystem, name: repository.replace(pattern, name), isWhole })),
    )
}
