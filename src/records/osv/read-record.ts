import { isCommit } from '../../versions/tag-version.ts'
import { parsePurl } from '../../formats/purl/purl.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { fieldOf, listField, textField, textsField, timeOf } from '../../source-files/fields.ts'
import { isMalwareId } from '../malware-id.ts'
import { binariesOf, type Binaries } from './read-binaries.ts'
import { digestsOf } from './read-digests.ts'

export type OsvEvent = { kind: 'introduced' | 'fixed' | 'last_affected' | 'limit'; version: string }

export type OsvAffected = Binaries & {
  /** With the release suffix: `Debian:12`. */
  ecosystem: string
  name: string
  /** `arch` of the package's purl; absent where it has none. */
  architecture?: string
  /** Events of each SEMVER or ECOSYSTEM range, as written. */
  ranges: OsvEvent[][]
  versions: string[]
  /** Versions of the project's own that fix it, where the source names such ranges beside those of the ecosystem; absent where not. */
  customFixes?: string[]
  /**
   * For a repository: the affected commits; its `versions` are then tags, and only these decide; `ranges` say what is possible without them. Absent for packages of a registry or distribution.
   */
  commits?: string[]
  /** Where a range has no end, the last version known to be affected; absent where the source says nothing of it (GitHub). */
  lastKnown?: { version: string; isIncluded: boolean }
}

/** What the product reads of an OSV record (schema 1.7). Everything else stays in the document. */
export type OsvRecord = {
  id: string
  summary: string
  modifiedAt: Date
  publishedAt: Date | null
  withdrawnAt: Date | null
  aliases: string[]
  upstream: string[]
  related: string[]
  affected: OsvAffected[]
  /** CVSS vectors, wherever the source puts them. */
  vectors: string[]
  /** The source's own words for the severity. */
  severityLabels: string[]
  /** RustSec's mark for records that name no vulnerability (unmaintained, unsound, notice). */
  isInformational: boolean
  /** Digests of the packages themselves, where the record says that they are malicious; absent in all others. */
  digests?: string[]
}

const maxIdLength = 100
const maxNameLength = 512
const maxVersionLength = 512
const maxSummaryLength = 300
const maxVectorLength = 400
/** Far above every real record (1 132 versions, 118 events of one package). */
const maxVersions = 50_000
const maxEvents = 2_000
const maxCustomFixes = 20
/** Repositories of one entry, and commits of one repository: more are left out. */
const maxRepositories = 100
const maxCommits = 500

const idForm = /^[A-Za-z0-9][A-Za-z0-9:._+~@/-]*$/

/**
 * Reads one OSV record out of parsed JSON. Foreign and hostile: parts of the wrong kind count as absent, GIT ranges of packages are skipped
 * and the rest of the record kept. Refuses (`RefusedData`) what is no OSV record, and lists beyond every real size.
 */
export function readRecord(value: unknown, name: string): OsvRecord {
  const id = readId(value, name)
  const modified = fieldOf(value, 'modified')
  if (typeof modified !== 'string')
    throw new RefusedData(`${name}: expected an OSV record, found no "modified" time`)
  const affected = listField(value, 'affected')
  const withdrawn = textField(value, 'withdrawn', 40)
  const modifiedAt = timeOf(modified) ?? new Date(0)
  return {
    id,
    summary: readSummary(value),
    modifiedAt,
    publishedAt: timeOf(textField(value, 'published', 40)),
    withdrawnAt: withdrawn === null ? null : (timeOf(withdrawn) ?? modifiedAt),
    aliases: readIds(value, 'aliases', id),
    upstream: readIds(value, 'upstream', id),
    related: readIds(value, 'related', id),
    affected: affected.flatMap((entry) => readAffected(entry, id)),
    vectors: [value, ...affected].flatMap(readVectors),
    severityLabels: [...[value, ...affected].flatMap(readLabels), ...titleLabel(id, readSummary(value))],
    isInformational: affected.some(
      (entry) => textField(fieldOf(entry, 'database_specific'), 'informational', 40) !== null,
    ),
    ...(isMalwareId(id) ? { digests: digestsOf(affected) } : {}),
  }
}

function readId(value: unknown, name: string): string {
  const id = fieldOf(value, 'id')
  if (typeof id !== 'string') throw new RefusedData(`${name}: expected an OSV record, found no "id"`)
  if (id.length > maxIdLength || !idForm.test(id))
    throw new RefusedData(`${name}: the record's id is not usable`)
  return id
}

function readIds(value: unknown, key: string, ownId: string): string[] {
  return textsField(value, key, maxIdLength).filter((other) => other !== ownId)
}

/** Some sources write no summary: the first line of the details stands for it. */
function readSummary(value: unknown): string {
  const summary = textField(value, 'summary', maxSummaryLength)
  if (summary !== null) return summary
  const details = fieldOf(value, 'details')
  if (typeof details !== 'string') return ''
  const [line = ''] = details
    .slice(0, 4 * maxSummaryLength)
    .trimStart()
    .split('\n', 1)
  return textField({ line }, 'line', maxSummaryLength) ?? ''
}

function readAffected(value: unknown, id: string): OsvAffected[] {
  const packageField = fieldOf(value, 'package')
  const ecosystem = textField(packageField, 'ecosystem', maxNameLength)
  const name = textField(packageField, 'name', maxNameLength)
  if (ecosystem === null || ecosystem === 'GIT') return readRepositories(value, { id, ecosystem: 'GIT' })
  // whose own names are those of its build scripts
  if (ecosystem === 'OSS-Fuzz') return readRepositories(value, { id, ecosystem })
  return name === null ? [] : [readPackage(value, { id, ecosystem, name })]
}

/** For entries without a package: the repositories of their ranges, each with all listed tags. */
function readRepositories(
  value: unknown,
  { id, ecosystem }: { id: string; ecosystem: string },
): OsvAffected[] {
  const versions = textsField(value, 'versions', maxVersionLength)
  if (versions.length > maxVersions)
    throw new RefusedData(`${id}: a repository has more than ${maxVersions} versions`)
  const found = new Map<string, { events: OsvEvent[]; ranges: OsvEvent[][] }>()
  for (const range of listField(value, 'ranges')) {
    const repository = fieldOf(range, 'type') === 'GIT' ? textField(range, 'repo', maxNameLength) : null
    if (repository === null || (found.size >= maxRepositories && !found.has(repository))) continue
    const { events, ranges } = found.get(repository) ?? { events: [], ranges: [] }
    const own = readEvents(range)
    found.set(repository, { events: [...events, ...own], ranges: [...ranges, ...inVersions(range, own)] })
  }
  return [...found].map(([name, { events, ranges }]) => {
    const commits = events
      .filter(({ kind, version }) => (kind === 'introduced' || kind === 'last_affected') && isCommit(version))
      .map(({ version }) => version)
    return { ecosystem, name, ranges, versions, commits: [...new Set(commits)].slice(0, maxCommits) }
  })
}

/** A range of commits in the versions that it was made from (osv.dev); where none are told and it begins with the first commit, all of them. */
function inVersions(range: unknown, own: readonly OsvEvent[]): OsvEvent[][] {
  const specific = fieldOf(range, 'database_specific')
  const stated = ['versions', 'extracted_events'].flatMap((key) => listField(specific, key))
  if (stated.length > 0) return [readEvents({ events: stated }).slice(0, maxEvents)]
  const first = own.find(({ kind, version }) => kind === 'introduced' && version === '0')
  return first === undefined ? [] : [[first]]
}

type PackageOfRecord = { id: string; ecosystem: string; name: string }

function readPackage(value: unknown, { id, ecosystem, name }: PackageOfRecord): OsvAffected {
  const packageField = fieldOf(value, 'package')
  const versions = textsField(value, 'versions', maxVersionLength)
  const ranges = listField(value, 'ranges')
    .filter((range) => fieldOf(range, 'type') !== 'GIT')
    .map(readEvents)
  const events = ranges.reduce((count, range) => count + range.length, 0)
  if (versions.length > maxVersions || events > maxEvents) {
    throw new RefusedData(`${id}: ${name} has more than ${maxVersions} versions or ${maxEvents} range events`)
  }
  const custom = listField(fieldOf(value, 'ecosystem_specific'), 'custom_ranges')
  return {
    ecosystem,
    name,
    ranges,
    versions,
    ...(custom.length === 0 ? {} : { customFixes: fixesOf(custom) }),
    ...lastKnownOf(value),
    ...binariesOf(value, { versions, ranges }),
    ...architectureOf(packageField),
  }
}

function architectureOf(packageField: unknown): Pick<OsvAffected, 'architecture'> {
  const purl = parsePurl(textField(packageField, 'purl', maxNameLength) ?? '')
  const architecture = purl?.qualifiers.get('arch')
  return architecture === undefined ? {} : { architecture }
}

/** `<= 1.2.3`, `< 15.5.1` in GitHub's own field, perhaps behind where the range begins (`>= 1.0, <= 1.2.3`). */
function lastKnownOf(value: unknown): Pick<OsvAffected, 'lastKnown'> {
  const text = textField(
    fieldOf(value, 'database_specific'),
    'last_known_affected_version_range',
    maxVersionLength,
  )
  const [, operator, version] =
    /^\s*(?:>=?\s*[^\s<>=,|]+\s*,\s*)?(<=?)\s*([^\s<>=,|]+)\s*$/.exec(text ?? '') ?? []
  return version === undefined ? {} : { lastKnown: { version, isIncluded: operator === '<=' } }
}

function fixesOf(ranges: readonly unknown[]): string[] {
  const fixes = ranges
    .slice(0, maxEvents)
    .flatMap(readEvents)
    .filter(({ kind }) => kind === 'fixed')
  return [...new Set(fixes.map(({ version }) => version))].slice(0, maxCustomFixes)
}

const eventKinds = ['introduced', 'fixed', 'last_affected', 'limit'] as const

/** An event is exactly one of the four kinds; one that has several is read as several. */
function readEvents(range: unknown): OsvEvent[] {
  const events: OsvEvent[] = []
  for (const entry of listField(range, 'events')) {
    for (const kind of eventKinds) {
      const version = textField(entry, kind, maxVersionLength)
      if (version !== null) events.push({ kind, version })
    }
  }
  return events
}

/** Of a record or of one of its packages; RustSec keeps its vector in `database_specific`, others an object with it. */
function readVectors(value: unknown): string[] {
  const scores = listField(value, 'severity').map((entry) => textField(entry, 'score', maxVectorLength))
  const specific = fieldOf(value, 'database_specific')
  const cvss = fieldOf(specific, 'cvss')
  return [
    ...scores,
    textField(specific, 'cvss', maxVectorLength),
    textField(cvss, 'vector', maxVectorLength),
    textField(cvss, 'vectorString', maxVectorLength),
  ].filter((vector) => vector !== null)
}

/** Notices of the Red Hat family say it in their title and nowhere else: `Important: kernel security update`. */
function titleLabel(id: string, summary: string): string[] {
  if (!/^(?:AL|EL|RH|RL|RX)[BES]A-/.test(id)) return []
  const label = /^(Critical|Important|Moderate|Low): /.exec(summary)?.[1]
  return label === undefined ? [] : [label]
}

const labelKeys = ['severity', 'urgency', 'ubuntu_priority'] as const

function readLabels(value: unknown): string[] {
  const specific = [fieldOf(value, 'database_specific'), fieldOf(value, 'ecosystem_specific')]
  const parts = [...specific, ...specific.map((part) => fieldOf(part, 'cvss'))]
  const labels = parts.flatMap((part) => labelKeys.map((key) => textField(part, key, 40)))
  // Ubuntu's priority is there, or where others have a vector
  const scores = listField(value, 'severity').map((entry) => textField(entry, 'score', 40))
  return [...labels, ...scores].filter((label) => label !== null)
}
