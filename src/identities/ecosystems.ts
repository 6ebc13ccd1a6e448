import type { VersionScheme } from '../versions/ordering.ts'
import { packageKey } from '../formats/purl/package-key.ts'
import { repositoryName } from './repositories/repository.ts'

/** A collection of packages that vulnerability data names and orders by one set of rules. */
export type Ecosystem = {
  /** The OSV directory, the ecosystem string before `:`; else the distribution as its records name it. */
  name: string
  scheme: VersionScheme
  nameRule: keyof typeof nameRules
  /** Purl types whose packages are looked up here; for a system only those of its distribution. */
  purlTypes: readonly string[]
  /** What packages of an operating system need as well; null for a language's registry. */
  system: System | null
  /** The ecosystem under whose keys its records are stored; absent: its own. Its data are loaded whenever that one's are. */
  filedUnder?: string
  /** OSV has no directory for it: it has the name that its own source uses. */
  outsideOsv?: true
}

export type System = {
  /** Id in distributions.ts. */
  distribution: string
  /** The one release of it that this is; absent: all that have no ecosystem of their own. */
  ofRelease?: string
  /** Whether the data names source packages (deb source, apk origin, src.rpm), the installed ones, or either. */
  namedBy: 'source' | 'package' | 'either'
  /** Whether versions in the data carry the package's epoch. */
  epochs: 'kept' | 'absent'
}

/** How a registry compares package names. */
const nameRules = {
  asIs: (name: string) => name,
  lowerCase: (name: string) => name.toLowerCase(),
  /** PEP 503: runs of `-`, `_` and `.` are one `-`. */
  python: (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, '-'),
  /** `https://github.com/vapor/vapor.git` and `github.com/Vapor/vapor` are one repository. */
  repository: (name: string) =>
    name
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/\.git$/, ''),
  /** `Owner/action`, also by its address or with a folder in it: one repository. */
  action: (name: string) =>
    name
      .toLowerCase()
      .replace(/^(?:https?:\/\/)?(?:www\.)?github\.com\//, '')
      .split('/', 2)
      .join('/')
      .replace(/\.git$/, ''),
  /** `publisher.name` in records, `publisher/name` in purls; a publisher's name has no point. */
  extension: (name: string) => name.toLowerCase().replace(/^([^./]+)\./, '$1/'),
  /** Whatever the address looks like (`repositories`). */
  git: repositoryName,
} as const

/** https://ossf.github.io/osv-schema/#defined-ecosystems, and distributions that another source brings. Anything not listed here is not covered; a new one needs only a row. */
export const ecosystems: readonly Ecosystem[] = [
  registry('npm', 'semver', ['npm']),
  registry('PyPI', 'pep440', ['pypi'], 'python'),
  registry('Maven', 'maven', ['maven', 'gradle']),
  registry('Go', 'go', ['golang']),
  registry('crates.io', 'semver', ['cargo']),
  registry('RubyGems', 'rubygems', ['gem']),
  /** `dotnet` is what Syft wrote before version 0.74. */
  registry('NuGet', 'nuget', ['nuget', 'dotnet'], 'lowerCase'),
  registry('Packagist', 'packagist', ['composer'], 'lowerCase'),
  registry('Hex', 'semver', ['hex'], 'lowerCase'),
  registry('Pub', 'pub', ['pub'], 'lowerCase'),
  registry('Hackage', 'hackage', ['hackage']),
  registry('CRAN', 'cran', ['cran']),
  registry('Julia', 'julia', ['julia']),
  registry('Bitnami', 'bitnami', ['bitnami']),
  registry('opam', 'dpkg', ['opam']),
  registry('ConanCenter', 'conan', ['conan']),
  registry('SwiftURL', 'semver', ['swift'], 'repository'),
  /** GitHub's own export writes `githubactions`; a `github` repository is one only where a record names it. */
  registry('GitHub Actions', 'semver', ['githubactions', 'github'], 'action'),
  registry('VSCode', 'semver', ['vscode-extension', 'vscode'], 'extension'),
  registry('Bioconductor', 'cran', ['bioconductor']),
  registry('Docker Hardened Images', 'semver', ['dhi']),
  /** Records on the repositories of projects that no registry has; their tags are read as versions (`versions/tag-version.ts`). */
  registry('GIT', 'generic', [], 'git'),
  /** Findings of fuzzers in such projects, named by the repository as well. */
  { ...registry('OSS-Fuzz', 'generic', [], 'git'), filedUnder: 'GIT' },
  /** One package, `Kernel`: components name it by its repository. */
  registry('Linux', 'generic', []),
  /** Projects of the source of Android and parts of the Haskell compiler, by the repository as well. */
  registry('Android', 'generic', []),
  registry('GHC', 'hackage', []),
  system('Debian', 'dpkg', ['deb'], { distribution: 'debian', namedBy: 'source' }),
  system('Ubuntu', 'dpkg', ['deb'], { distribution: 'ubuntu', namedBy: 'source' }),
  /** `alpine` is what Syft wrote before `apk` was a purl type. */
  system('Alpine', 'apk', ['apk', 'alpine'], { distribution: 'alpine', namedBy: 'source' }),
  system('Wolfi', 'apk', ['apk'], { distribution: 'wolfi', namedBy: 'either' }),
  system('Chainguard', 'apk', ['apk'], { distribution: 'chainguard', namedBy: 'either' }),
  system('MinimOS', 'apk', ['apk'], { distribution: 'minimos', namedBy: 'either' }),
  system('CleanStart', 'apk', ['apk'], { distribution: 'cleanstart', namedBy: 'either' }),
  system('Alpaquita', 'apk', ['apk'], { distribution: 'alpaquita', namedBy: 'source' }),
  system('BellSoft Hardened Containers', 'apk', ['apk'], { distribution: 'bellsoft', namedBy: 'source' }),
  system('Echo', 'dpkg', ['deb'], { distribution: 'echo', namedBy: 'source' }),
  system('Red Hat', 'rpm', ['rpm'], { distribution: 'redhat', namedBy: 'package' }),
  system('Rocky Linux', 'rpm', ['rpm'], { distribution: 'rocky', namedBy: 'source' }),
  /** The schema says source names, the data lists installed packages (httpd-tools, openssl-libs). */
  system('AlmaLinux', 'rpm', ['rpm'], { distribution: 'almalinux', namedBy: 'package' }),
  /** SUSE builds packages without epochs. */
  system('SUSE', 'rpm', ['rpm'], { distribution: 'suse', namedBy: 'source', epochs: 'absent' }),
  system('openSUSE', 'rpm', ['rpm'], { distribution: 'opensuse', namedBy: 'source', epochs: 'absent' }),
  system('openEuler', 'rpm', ['rpm'], { distribution: 'openeuler', namedBy: 'source' }),
  system('Mageia', 'rpm', ['rpm'], { distribution: 'mageia', namedBy: 'source' }),
  /** Its data name built packages by their source. */
  system('Photon OS', 'rpm', ['rpm'], { distribution: 'photon', namedBy: 'either' }),
  system('Azure Linux', 'rpm', ['rpm'], { distribution: 'azurelinux', namedBy: 'source', epochs: 'absent' }),
  /** Bodhi names the source packages that were built. */
  outside(system('Fedora', 'rpm', ['rpm'], { distribution: 'fedora', namedBy: 'source' })),
  outside(system('Amazon Linux', 'rpm', ['rpm'], { distribution: 'amazon', namedBy: 'package' })),
  /** Published apart from the others, and ended. */
  outside(
    system('Amazon Linux 1', 'rpm', ['rpm'], { distribution: 'amazon', ofRelease: '1', namedBy: 'package' }),
  ),
  outside(system('Oracle Linux', 'rpm', ['rpm'], { distribution: 'oracle', namedBy: 'package' })),
]

function registry(
  name: string,
  scheme: VersionScheme,
  purlTypes: string[],
  nameRule: keyof typeof nameRules = 'asIs',
): Ecosystem {
  return { name, scheme, nameRule, purlTypes, system: null }
}

function system(
  name: string,
  scheme: VersionScheme,
  purlTypes: string[],
  rules: Omit<System, 'epochs'> & Partial<System>,
): Ecosystem {
  return { name, scheme, nameRule: 'asIs', purlTypes, system: { epochs: 'kept', ...rules } }
}

function outside(ecosystem: Ecosystem): Ecosystem {
  return { ...ecosystem, outsideOsv: true }
}

/** Those that OSV has a directory for. */
export const osvEcosystems: readonly string[] = ecosystems
  .filter(({ outsideOsv }) => outsideOsv !== true)
  .map(({ name }) => name)

const byName = new Map(ecosystems.map((ecosystem) => [ecosystem.name, ecosystem]))

const registriesByType = new Map(
  ecosystems
    .filter((ecosystem) => ecosystem.system === null)
    .flatMap((ecosystem) => ecosystem.purlTypes.map((type) => [type, ecosystem] as const)),
)

const systemsByType = new Map(
  ecosystems.flatMap((ecosystem) => {
    const { system, purlTypes } = ecosystem
    return system === null
      ? []
      : purlTypes.map((type) => [placeOf(type, system.distribution, system.ofRelease), ecosystem] as const)
  }),
)

/** Purl types of packages that a distribution builds, whether or not any data covers that distribution. */
export const systemPurlTypes: ReadonlySet<string> = new Set(['deb', 'rpm', 'apk', 'alpine', 'alpm'])

/** By the exact name of the OSV directory. */
export function ecosystemNamed(name: string): Ecosystem | undefined {
  return byName.get(name)
}

/** The registry that packages of a purl type come from. */
export function registryOf(purlType: string): Ecosystem | undefined {
  return registriesByType.get(purlType)
}

/** The data on packages of one distribution, or of this release of it where that has data of its own. */
export function systemOf(
  purlType: string,
  { distribution, release }: { distribution: string; release: string | null },
): Ecosystem | undefined {
  const ofRelease = release === null ? undefined : systemsByType.get(placeOf(purlType, distribution, release))
  return ofRelease ?? systemsByType.get(placeOf(purlType, distribution))
}

function placeOf(purlType: string, distribution: string, release?: string): string {
  return [purlType, distribution, release ?? ''].join('/')
}

/** The package key of a name in the spelling of any tool; undefined for a name no registry could hold. */
export function keyOf(ecosystem: Ecosystem, name: string): string | undefined {
  return packageKey(ecosystem.filedUnder ?? ecosystem.name, nameRules[ecosystem.nameRule](name))
}
