import { distributions, type Distribution, type Numbering } from './distributions.ts'

/** What a text says about the distribution an operating-system package belongs to. */
export type DistributionRelease = {
  distribution: Distribution | null
  /** As ranges name it; '' where the distribution has no releases; null when the text does not say. */
  release: string | null
}

const nowhere: DistributionRelease = { distribution: null, release: null }
const maxLength = 100

/** Spelling → distribution and the words before the number. */
const spellings = new Map(
  distributions.flatMap((distribution) =>
    [...distribution.spellings].map(([spelling, edition]) => [spelling, { distribution, edition }] as const),
  ),
)

const codeNames = new Map(
  distributions.flatMap((distribution) =>
    [...distribution.codeNames].map(([name, release]) => [name, { distribution, release }] as const),
  ),
)

/** The distribution a purl namespace or an os-release name stands for. */
export function distributionOf(spelling: string): Distribution | null {
  return spellings.get(spelling.toLowerCase())?.distribution ?? null
}

/**
 * Reads a `distro` qualifier or the name and version of an operating-system component: `debian-11.6`,
 * `amazon-2 (Karoo)`, `opensuse-leap-15.1`, `rhel8`, `bullseye/sid`. A text without a distribution (`3.16.2`) is a
 * release of `assumed`.
 */
export function readRelease(text: string, assumed: Distribution | null): DistributionRelease {
  if (text.length > maxLength) return nowhere
  const lower = text.trim().toLowerCase()
  const named = splitName(lower)
  if (named !== null) return { distribution: named.distribution, release: releaseOf(named, named.rest) }

  // Ubuntu writes `esm-apps/jammy` for builds of Ubuntu Pro
  const codeName = codeNames.get(beforeSlash(lower)) ?? codeNames.get(lower.slice(lower.indexOf('/') + 1))
  if (codeName !== undefined) return codeName
  if (assumed === null) return nowhere
  const release = releaseOf(
    { distribution: assumed, edition: assumed.spellings.get(assumed.id) ?? '' },
    lower,
  )
  return release === null ? nowhere : { distribution: assumed, release }
}

type Named = { distribution: Distribution; edition: string }

/** The longest known spelling that ends at a separator, and what follows it. */
function splitName(text: string): (Named & { rest: string }) | null {
  for (let end = text.length; end > 0; end -= 1) {
    if (end < text.length && !isBoundary(text, end)) continue
    const found = spellings.get(text.slice(0, end))
    if (found !== undefined) return { ...found, rest: text.slice(end) }
  }
  return null
}

/** Before `-`, a space, `:` or `_`; also where digits follow letters, as in `rhel8`. */
function isBoundary(text: string, at: number): boolean {
  const next = text.charAt(at)
  return '- :_'.includes(next) || (isDigit(next) && !isDigit(text.charAt(at - 1)))
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

function releaseOf({ distribution, edition }: Named, rest: string): string | null {
  const text = rest.replace(/^[- :_]+/, '').trim()
  const codeName = distribution.codeNames.get(beforeSlash(text))
  if (codeName !== undefined) return codeName
  if (edition === 'tumbleweed') return edition
  const number = numberings[distribution.numbering](text)
  if (number === null || edition === '') return number
  return number === 'tumbleweed' ? number : `${edition} ${number}`
}

/** A testing release calls itself `trixie/sid`; the archive has suites beside a release, which belong to it (`bookworm-security`). */
function beforeSlash(text: string): string {
  return (text.split('/', 1)[0] ?? '').replace(archiveSuite, '')
}

const archiveSuite = /-(?:security|updates|proposed|backports(?:-sloppy)?|lts)$/

/** Each answers the release, or null where the text does not hold one. */
const numberings: Record<Numbering, (text: string) => string | null> = {
  major: (text) => /^v?(\d{1,4})(?!\d)/.exec(text)?.[1] ?? null,
  /** `3.22.0_rc1` is of 3.22; `3.22_alpha20250108` is what was edge then. */
  major_minor: (text) =>
    /^v?(\d{1,2}\.\d{1,2})(?:\.\d{1,3}(?:_rc\d{1,2})?)?(?![\w.])/.exec(text)?.[1] ?? null,
  /** `4.0`, also written `4`. */
  photon: (text) => {
    const [, major, minor = '0'] = /^v?(\d{1,2})(?:\.(\d{1,2}))?(?![\w.])/.exec(text) ?? []
    return major === undefined ? null : `${major}.${minor}`
  },
  calendar: (text) => /^(\d{2}\.\d{2})(?!\d)/.exec(text)?.[1] ?? null,
  service_pack: suseRelease,
  opensuse: (text) => {
    if (text === 'tumbleweed' || /^20\d{6}$/.test(text)) return 'tumbleweed'
    return /^(\d{1,2}\.\d{1,2})(?!\d)/.exec(text)?.[1] ?? null
  },
  openeuler: openEulerRelease,
  amazon: amazonRelease,
  channel: (text) => /^(stream|\d{2})(?![\w.])/.exec(text)?.[1] ?? null,
  rolling: () => '',
}

/** `15.4`, `15 SP4`, `15-SP4-LTSS`, `Module for Basesystem 15 SP4`: the number at the end counts, extended support does not. */
function suseRelease(text: string): string | null {
  const withoutSupport = text.replace(/[- ](?:ltss|espos|bcl|teradata)\b.*$/, '')
  const [, major, pack, minor] = /(?:^|[ -])(\d{1,2})(?:[ -]?sp(\d)|\.(\d{1,2}))?$/.exec(withoutSupport) ?? []
  if (major === undefined) return null
  const second = pack ?? minor
  return second === undefined ? major : `${major}.${second}`
}

/** `2`, `2 (Karoo)`, `2023`, `2023.6.20241212`. The first one counted by months, up to `2018.03`; `2017.12` is what the second was first called. */
function amazonRelease(text: string): string | null {
  const [, number, month] = /^(\d{1,4})(?:\.(\d{2})(?!\d))?(?!\d)/.exec(text) ?? []
  if (number === '2017' && month === '12') return '2'
  return number !== undefined && /^201\d$/.test(number) ? '1' : (number ?? null)
}

/** `22.03-LTS-SP1`, `22.03 (LTS-SP1)`; a bare `22.03` leaves the service pack open, because all of them call themselves that. */
function openEulerRelease(text: string): string | null {
  const [, number, support = '', pack = ''] =
    /^(\d{2}\.\d{2})(?:[- (]{1,2}(lts)(?:-(sp\d{1,2}))?)?\)?$/.exec(text) ?? []
  if (number === undefined) return null
  const isLongTerm = number.endsWith('.03') && Number(number.slice(0, 2)) % 2 === 0
  if (isLongTerm && support === '') return null
  return [number, support, pack].filter((part) => part !== '').join('-')
}
