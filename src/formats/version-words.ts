import { startOfBranch } from './version-branch.ts'

/** A version as texts have it among words. */
const version = String.raw`(v?\d[^\s,;<>=]*)`
const before = '(?:before|prior to|earlier than|lower than|less than|below|older than)'
const upTo = '(?:up to and including|up to|through|thru|until)'
const firstVersion = String.raw`(v?\d[^\s,;<>=]*?)`
const isTo = '(?:to|through|thru|until|up to and including|up to|-|–|—|~|->|→)'

const whole = (pattern: string) => new RegExp(`^${pattern}$`, 'i')

/** Texts of many CNAs, and what signs would say for them. */
const forms: readonly (readonly [RegExp, (...versions: string[]) => string])[] = [
  [whole(`${before} (?:version )?${version}`), (end = '') => `< ${startOfBranch(end)}`],
  [whole(`${upTo} (?:version )?${version}`), (end = '') => `<= ${end}`],
  [
    whole(`${version} (?:and|or|&) (?:all )?(?:earlier|prior|below|lower|older|previous)(?: versions?)?`),
    (end = '') => `<= ${end}`,
  ],
  [
    whole(
      `(?:from )?${version} (?:and|or|&) (?:all )?(?:later|above|newer|higher|up|onwards)(?: versions?)?`,
    ),
    (start = '') => `>= ${startOfBranch(start)}`,
  ],
  [whole(String.raw`(v?\d[\w.-]*)\+`), (start = '') => `>= ${startOfBranch(start)}`],
  // what an earlier format wrote as `>`
  [whole(`next of ${version}`), (last = '') => `> ${last}`],
  [
    whole(`(?:from )?${version},? ${before} (?:version )?${version}`),
    (start = '', end = '') => `>= ${startOfBranch(start)}, < ${startOfBranch(end)}`,
  ],
  [
    whole(`(?:from )?${version} ${isTo} (?:version )?${version}`),
    (start = '', end = '') => `>= ${startOfBranch(start)}, <= ${end}`,
  ],
  // what no version has inside
  [
    whole(String.raw`${firstVersion} ?(?:\.{2,3}|…|–|—|->|→) ?${version}`),
    (start = '', end = '') => `>= ${startOfBranch(start)}, <= ${end}`,
  ],
]

const fixed = whole(`(?:fixed|patched|resolved|corrected) (?:in|by|with|since) (?:versions? )?${version}`)

const partNames =
  'sp|service pack|fp|fix pack|feature pack|update|upd|u|patch|hotfix|hf|cu|mr|build|rev|revision|release|rc|beta|alpha|r|p'
/** A version with what no order knows behind it: `V2.1 SP3`, and the sign or word before it. */
const versionInParts = new RegExp(
  // behind a hyphen another version may begin
  String.raw`(?:([<>]=?) ?|\b(${before}|next of) (?:version )?)?\bv?(\d+(?:\.\d+)*)(?:,? (?:${partNames})[ .-]?\d(?:[\w.]|-(?!v?\d+\.\d))*)+(?![\w.])`,
  'gi',
)

/**
 * Words about affected versions, by a wider reading: all versions before a fix (`Fixed in 2.4`), and for a part that no order knows the whole
 * line (`through 2.1.*` for `before V2.1 SP3`). Other words stay as they are.
 */
export function widerWords(text: string): string {
  const [, fix] = fixed.exec(text) ?? []
  if (fix !== undefined) return `before ${fix}`
  return text.replaceAll(versionInParts, (_, sign?: string, word?: string, line = '') => {
    if (sign?.startsWith('>') === true || word?.startsWith('next') === true) return `>= ${line}`
    if (sign !== undefined) return `<= ${line}.*`
    return word === undefined ? `${line}.*` : `through ${line}.*`
  })
}

const line = String.raw`(v?(\d+(?:\.\d+)*)(?:\.[x*])?)`
const hyphenated = whole(`${line}[-~]${line}`)
const dotted = whole(String.raw`(v?(\d+)(?:\.\d+)*)\.\.(\d+)`)

/** `6..2` is 6.2 with a dot typed twice, `1.0..2` that or a range. */
export function hasTypedDots(text: string): boolean {
  return dotted.test(text)
}

/**
 * The range that a text about affected versions may be beside the one version that it names: `2.0 to 2.4` for `2.0-2.4`, `1.0 to 2` for `1.0..2`, and for
 * `V2.1 SP3` any of that line. A revision makes none: `1.2.3-4`, `1.0-150400.3`.
 */
export function rangeBeside(text: string): string | undefined {
  const wider = widerWords(text)
  if (wider !== text && /^[\d.]+\*$/.test(wider)) return `${startOfBranch(wider)} to ${wider}`
  const [, first, major, last] = dotted.exec(text) ?? []
  if (last !== undefined) return Number(major) < Number(last) ? `${first} to ${last}` : undefined
  const [, start, from = '', end, to = ''] = hyphenated.exec(wider) ?? []
  return isBelow(from.split('.'), to.split('.')) ? `${start} to ${end}` : undefined
}

function isBelow(from: readonly string[], to: readonly string[]): boolean {
  const isRevision = (to.length === 1 && from.length > 1) || (to[0] ?? '').length > (from[0] ?? '').length + 1
  const at = to.findIndex((part, place) => Number(part) !== Number(from[place] ?? 0))
  return !isRevision && at >= 0 && Number(from[at] ?? 0) < Number(to[at])
}

/** `stable < 3.1.1`, `Apache Airflow <1.10.11`: whether it is one of ours is not known. */
const nameBeforeSigns = /^[a-z][^<>=\d]{0,60}([<>].*)$/i

/** `<=Harbor 2.7.2` */
const nameBehindSign = /^([<>]=?)\s*[a-z][^\d<>=,]{0,60}\s(v?\d\S*)$/i

/**
 * Words about versions, as operators: `< 2.0` for `All versions prior to 2.0`. `isVague`: our reading of words that the format does not define. undefined: unknown
 * words.
 */
export function boundsInWords(text: string): { signs: string; isVague: boolean } | undefined {
  const named = text
    .replace(/^(?:all )?(?:versions?|releases?)\s+/i, '')
    .replaceAll(/\s+/g, ' ')
    // as NVD's pages write it
    .replace(/\bup to \(excluding\)/i, 'before')
    .replace(/ ?\((?:including|excluding)\)/i, '')
    .trim()
  const interval = signsOfInterval(named) ?? signsAroundName(named)
  if (interval !== undefined) return { signs: interval, isVague: true }
  const [, sign, end] = nameBehindSign.exec(named) ?? []
  if (sign !== undefined && end !== undefined) return { signs: `${sign} ${end}`, isVague: true }
  if (/^[<>=]/.test(named)) return { signs: named, isVague: false }
  const [, behindName] = nameBeforeSigns.exec(named) ?? []
  if (behindName !== undefined) return { signs: behindName, isVague: true }
  const inForm = hasTypedDots(named) ? undefined : signsOfForm(named)
  return inForm === undefined ? undefined : { signs: inForm, isVague: true }
}

function signsOfForm(text: string): string | undefined {
  for (const [form, signs] of forms) {
    const [, ...versions] = form.exec(text) ?? []
    if (versions.length > 0) return signs(...versions)
  }
  return undefined
}

/** `[2.0, 2.4)`, as Maven and NuGet write ranges. */
function signsOfInterval(text: string): string | undefined {
  const [, open, from = '', to = '', close] =
    /^([[(])\s*(v?\d[^\s,]*)?\s*,\s*(v?\d[^\s,\])]*)?\s*([\])])$/i.exec(text) ?? []
  if (open === undefined || (from === '' && to === '')) return undefined
  const start = `${open === '[' ? '>=' : '>'} ${from}`
  const end = `${close === ']' ? '<=' : '<'} ${to}`
  if (from === '') return end
  return to === '' ? start : `${start}, ${end}`
}

/** `2.0 <= version < 2.4` */
function signsAroundName(text: string): string | undefined {
  const [, start, before = '', behind = '', end = ''] =
    /^(v?\d[^\s<]*)\s*(<=?)\s*[a-z]+\s*(<=?)\s*(v?\d[^\s<]*)$/i.exec(text) ?? []
  return start === undefined ? undefined : `${before.replace('<', '>')} ${start}, ${behind} ${end}`
}

/** `≤`, `=<` and the like as they are written elsewhere. */
export function withPlainSigns(text: string): string {
  return text.replaceAll(/≤|=</g, '<=').replaceAll(/≥|=>/g, '>=')
}

/** Its comparisons, one by one. */
export function signsIn(text: string): string[] {
  return text.split(/\s*(?:[,;]|&&|\sand\s|\s(?=[<>=]))\s*/i).map((part) => part.trim())
}

/**
 * The versions, ranges, or words for some, that one text lists: `1.0, 1.1 and earlier`, `>= 1.0, < 1.5, >= 2.0, < 2.5`. Only the text itself where it is no
 * such list.
 */
export function listedIn(text: string): string[] {
  const alternatives = text.split(/\s*(?:\|\||\sor\s(?=\s*[<>=≤≥]))\s*/i)
  const listed = alternatives.flatMap((part) => (/^[<>=≤≥]/.test(part) ? rangesIn(part) : versionsIn(part)))
  return listed.length > 1 ? listed : [text]
}

/** A sign that the range before it has already begins the next one. */
function rangesIn(text: string): string[] {
  const ranges: string[][] = []
  const signs = signsIn(withPlainSigns(text))
  for (const [at, sign] of signs.entries()) {
    const last = ranges.at(-1)
    const isNext = last?.some((other) => other.startsWith('=') || other[0] === sign[0]) ?? true
    // `< 1.5, >= 2.0, < 2.5`
    const isAfterFirst = at === 1 && sign.startsWith('>') && signs.length > 2
    if (last === undefined || isNext || sign.startsWith('=') || isAfterFirst) ranges.push([sign])
    else last.push(sign)
  }
  return ranges.length > 1 ? ranges.map((range) => range.join(', ')) : [text]
}

function versionsIn(text: string): string[] {
  const parts = text.split(/\s*[,;|]\s*(?:(?:and|or|&)\s+(?=v?\d))?|\s+(?:and|&)\s+(?=v?\d)/i)
  const areAll = parts.length > 1 && parts.every((part) => /^v?\d/i.test(part))
  return areAll ? parts : [text]
}
