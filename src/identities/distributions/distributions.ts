/**
 * Linux distributions, how tools spell them and how their releases are numbered. As data: a new spelling is a new
 * entry. All texts are lower case; spellings cover purl namespaces, `distro` qualifiers and os-release names.
 */
export type Distribution = {
  id: string
  /** As people write it. */
  title: string
  /** Distributions of one vendor that tools file under each other's namespace. */
  vendor: string
  numbering: Numbering
  /** Spelling → edition, the words before the number in the release; '' for the plain distribution. */
  spellings: Map<string, string>
  /** Code name → release. */
  codeNames: Map<string, string>
}

/** Which part of a version text is the release: `11.6` is Debian 11, `22.04.3` is Ubuntu 22.04, `15 SP4` is SLES 15.4, `stream` a channel. */
export type Numbering =
  | 'major'
  | 'major_minor'
  | 'photon'
  | 'calendar'
  | 'service_pack'
  | 'opensuse'
  | 'openeuler'
  | 'amazon'
  | 'channel'
  | 'rolling'

export const distributions: readonly Distribution[] = [
  {
    ...distribution('debian', 'Debian', 'major', ['debian', 'debian gnu/linux']),
    codeNames: debianCodeNames(),
  },
  { ...distribution('ubuntu', 'Ubuntu', 'calendar', ['ubuntu']), codeNames: ubuntuCodeNames() },
  distribution('alpine', 'Alpine', 'major_minor', ['alpine', 'alpine linux', 'alpinelinux']),
  distribution('wolfi', 'Wolfi', 'rolling', ['wolfi']),
  distribution('chainguard', 'Chainguard', 'rolling', ['chainguard']),
  distribution('minimos', 'MinimOS', 'rolling', ['minimos']),
  distribution('cleanstart', 'CleanStart', 'rolling', ['cleanstart']),
  distribution('echo', 'Echo', 'rolling', ['echo']),
  distribution('alpaquita', 'Alpaquita', 'channel', [
    ...['alpaquita', 'alpaquita linux', 'bellsoft alpaquita linux'],
  ]),
  distribution('bellsoft', 'BellSoft Hardened Containers', 'channel', [
    ...['bellsoft', 'bellsoft-hardened-containers', 'bellsoft hardened containers'],
  ]),
  distribution('redhat', 'Red Hat Enterprise Linux', 'major', [
    ...['redhat', 'rhel', 'el', 'red hat', 'red hat enterprise linux', 'red hat enterprise linux server'],
  ]),
  distribution('almalinux', 'AlmaLinux', 'major', ['almalinux', 'alma', 'alma linux', 'almalinux os']),
  distribution('rocky', 'Rocky Linux', 'major', ['rocky', 'rocky-linux', 'rockylinux', 'rocky linux']),
  distribution('centos', 'CentOS', 'major', ['centos', 'centos linux', 'centos stream']),
  distribution('fedora', 'Fedora', 'major', ['fedora', 'fedora linux', 'fc']),
  distribution('oracle', 'Oracle Linux', 'major', [
    ...['oracle', 'ol', 'oraclelinux', 'oracle-linux', 'oracle linux', 'oracle linux server'],
  ]),
  distribution('amazon', 'Amazon Linux', 'amazon', [
    ...['amazon', 'amzn', 'amazonlinux', 'amazon-linux', 'amazon linux', 'amazon linux ami'],
  ]),
  distribution('photon', 'Photon OS', 'photon', ['photon', 'photon os', 'vmware photon os', 'vmware']),
  distribution('azurelinux', 'Azure Linux', 'major', [
    ...['azurelinux', 'azure-linux', 'azure linux', 'mariner', 'cbl-mariner', 'cbl mariner'],
  ]),
  distribution('openeuler', 'openEuler', 'openeuler', ['openeuler']),
  distribution('mageia', 'Mageia', 'major', ['mageia']),
  {
    ...distribution('suse', 'SUSE Linux Enterprise', 'service_pack', []),
    vendor: 'suse',
    spellings: suseSpellings(),
  },
  { ...distribution('opensuse', 'openSUSE', 'opensuse', []), vendor: 'suse', spellings: opensuseSpellings() },
]

function distribution(id: string, title: string, numbering: Numbering, spellings: string[]): Distribution {
  const editions = spellings.map((spelling) => [spelling, ''] as const)
  return { id, title, vendor: id, numbering, spellings: new Map(editions), codeNames: new Map() }
}

/** https://debian.pages.debian.net/distro-info-data/debian.csv */
function debianCodeNames(): Map<string, string> {
  const names = 'squeeze wheezy jessie stretch buster bullseye bookworm trixie forky duke'
  return new Map(names.split(' ').map((name, index) => [name, String(index + 6)]))
}

/** https://debian.pages.debian.net/distro-info-data/ubuntu.csv: two releases a year from 12.04 on, in order. */
function ubuntuCodeNames(): Map<string, string> {
  const names =
    'precise quantal raring saucy trusty utopic vivid wily xenial yakkety zesty artful bionic cosmic disco eoan focal groovy ' +
    'hirsute impish jammy kinetic lunar mantic noble oracular plucky questing resolute'
  return new Map(
    names
      .split(' ')
      .map((name, index) => [name, `${12 + Math.floor(index / 2)}.${index % 2 === 0 ? '04' : '10'}`]),
  )
}

function suseSpellings(): Map<string, string> {
  return editions({
    '': [
      ...['suse', 'sle', 'sles', 'sled', 'sles_sap', 'sle_hpc'],
      ...['suse linux enterprise', 'suse linux enterprise server', 'suse linux enterprise desktop'],
    ],
    micro: [
      ...['sle-micro', 'sle micro', 'sl-micro', 'slem', 'suse-microos'],
      ...['suse linux enterprise micro', 'suse linux micro'],
    ],
  })
}

function opensuseSpellings(): Map<string, string> {
  return editions({
    leap: ['opensuse', 'opensuse-leap', 'opensuse.leap', 'opensuse leap', 'opensuseleap'],
    'leap micro': ['opensuse-leap-micro', 'opensuse leap micro'],
    // MicroOS has the packages of Tumbleweed
    tumbleweed: [
      ...['opensuse-tumbleweed', 'opensuse.tumbleweed', 'opensuse tumbleweed'],
      ...['opensuse-microos', 'opensuse microos'],
    ],
  })
}

function editions(spellings: Record<string, string[]>): Map<string, string> {
  return new Map(
    Object.entries(spellings).flatMap(([edition, list]) => list.map((text) => [text, edition] as const)),
  )
}
