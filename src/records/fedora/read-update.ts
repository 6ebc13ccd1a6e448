import { fieldOf, listField, textField, timeOf } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'

export const updatePrefix = 'FEDORA-'

/** A build of a source package; `epoch` null: Bodhi does not know it. */
export type Build = { name: string; version: string; epoch: number | null }

/** What is read of a security update of a release of Fedora that has reached its users. */
export type Update = {
  id: string
  /** `40`. */
  release: string
  title: string
  /** Bodhi's own word: urgent, high, medium, low. */
  severity: string | null
  publishedAt: Date | null
  modifiedAt: Date
  /** What its bugs, title and name say that it fixes; else what its notes do. */
  cves: string[]
  /** CVEs of its notes alone, which also tell of other updates. */
  relatedCves: string[]
  builds: Build[]
  /** The parts that are stored. */
  kept: unknown
}

const maxText = 300
const maxNotes = 4_000
const maxBugs = 2_000
/** The largest updates, of desktops, have some hundred. */
const maxBuilds = 3_000
const maxCves = 2_000

const idForm = /^FEDORA-\d{4}-[0-9a-zA-Z]{1,40}$/

export function isUpdate(value: unknown): boolean {
  const id = fieldOf(value, 'alias')
  return typeof id === 'string' && id.startsWith(updatePrefix) && Array.isArray(fieldOf(value, 'builds'))
}

/** An answer of Bodhi: some updates of all that it has. */
export function isPage(value: unknown): boolean {
  return Array.isArray(fieldOf(value, 'updates')) && typeof fieldOf(value, 'rows_per_page') === 'number'
}

/** Bodhi has updates of EPEL, of containers and of Flatpaks, too, which are of other releases and have other prefixes. */
export function isOfFedora(value: unknown): boolean {
  return releaseOf(value) !== null && textField(fieldOf(value, 'release'), 'id_prefix', 40) === 'FEDORA'
}

/**
 * Reads an update. undefined: it is no security update of a release of Fedora, or has not reached its users. Refuses (`RefusedData`) one
 * without a usable id or without builds, and lists beyond every real size.
 */
export function readUpdate(value: unknown, name: string): Update | undefined {
  const release = releaseOf(value)
  if (release === null || !isOfFedora(value) || !isStableSecurity(value)) return undefined
  const id = readId(value, name)
  const { builds, bugs } = listsOf(value, id)
  const publishedAt = timeIn(value, 'date_stable') ?? timeIn(value, 'date_pushed')
  return {
    id,
    release,
    title: titleOf(value, id),
    severity: textField(value, 'severity', 20),
    publishedAt,
    modifiedAt:
      timeIn(value, 'date_modified') ?? publishedAt ?? timeIn(value, 'date_submitted') ?? new Date(0),
    ...cvesOf(value, bugs),
    builds: builds.flatMap(readBuild),
    kept: keptOf(value, { id, bugs, builds }),
  }
}

function readId(value: unknown, name: string): string {
  const id = textField(value, 'alias', 60)
  if (id === null || !idForm.test(id)) throw new RefusedData(`${name}: the update's id is not usable`)
  return id
}

function listsOf(value: unknown, id: string): Omit<Lists, 'id'> {
  const builds = listField(value, 'builds')
  const bugs = listField(value, 'bugs')
  if (builds.length === 0) throw new RefusedData(`${id}: expected builds, found none`)
  if (builds.length > maxBuilds || bugs.length > maxBugs)
    throw new RefusedData(`${id}: more than ${maxBuilds} builds or ${maxBugs} bugs`)
  return { builds, bugs }
}

function isStableSecurity(value: unknown): boolean {
  return fieldOf(value, 'status') === 'stable' && fieldOf(value, 'type') === 'security'
}

/** `F40` and no other: `ELN`, `F40C` and `EPEL-9` are none of Fedora's releases. */
function releaseOf(value: unknown): string | null {
  const name = textField(fieldOf(value, 'release'), 'name', 40) ?? ''
  return /^F(\d{1,3})$/.exec(name)?.[1] ?? null
}

function titleOf(value: unknown, id: string): string {
  return textField(value, 'display_name', maxText) ?? textField(value, 'title', maxText) ?? id
}

/** Bodhi writes times in UTC without saying so (`2023-02-03 01:39:02`). */
function timeIn(value: unknown, key: string): Date | null {
  const text = textField(value, key, 40)
  if (text === null) return null
  const isBare = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?$/.test(text)
  return timeOf(isBare ? `${text.replace(' ', 'T')}Z` : text)
}

function cvesOf(value: unknown, bugs: readonly unknown[]): Pick<Update, 'cves' | 'relatedCves'> {
  const titles = bugs.map((bug) => textField(bug, 'title', maxText) ?? '')
  const named = [...titles, textField(value, 'display_name', maxText), textField(value, 'title', maxText)]
  const own = cvesIn(named.join('\n'))
  const noted = cvesIn(textField(value, 'notes', 20_000) ?? '').filter((cve) => !own.includes(cve))
  return own.length === 0 ? { cves: noted, relatedCves: [] } : { cves: own, relatedCves: noted }
}

function cvesIn(text: string): string[] {
  const found = text.matchAll(/(?<!\w)CVE-\d{4}-\d{4,19}(?!\d)/gi)
  return [...new Set([...found].map(([cve]) => cve.toUpperCase()))].slice(0, maxCves)
}

/** Name, version and release of an RPM are parted by the last two hyphens. Modules and Flatpaks name no packages. */
function readBuild(value: unknown): Build[] {
  const [, name, version] =
    /^(.{1,200})-([^-]{1,200}-[^-]{1,200})$/.exec(textField(value, 'nvr', 512) ?? '') ?? []
  if (name === undefined || version === undefined || (fieldOf(value, 'type') ?? 'rpm') !== 'rpm') return []
  const epoch = fieldOf(value, 'epoch')
  return [{ name, version, epoch: isEpoch(epoch) ? epoch : null }]
}

function isEpoch(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31
}

type Lists = { id: string; bugs: readonly unknown[]; builds: readonly unknown[] }

/** An answer of Bodhi is mostly comments, tests and who wrote them. */
function keptOf(value: unknown, { id, bugs, builds }: Lists): unknown {
  const text = (of: unknown, key: string, max = maxText) => textField(of, key, max)
  const release = fieldOf(value, 'release')
  return {
    alias: id,
    title: text(value, 'title'),
    display_name: text(value, 'display_name'),
    notes: text(value, 'notes', maxNotes),
    type: text(value, 'type'),
    status: text(value, 'status'),
    severity: text(value, 'severity'),
    date_submitted: text(value, 'date_submitted'),
    date_modified: text(value, 'date_modified'),
    date_pushed: text(value, 'date_pushed'),
    date_stable: text(value, 'date_stable'),
    release: { name: text(release, 'name'), id_prefix: text(release, 'id_prefix') },
    bugs: bugs.map((bug) => ({ bug_id: numberIn(bug, 'bug_id'), title: text(bug, 'title') })),
    builds: builds.map((build) => ({
      nvr: text(build, 'nvr', 512),
      type: text(build, 'type'),
      epoch: numberIn(build, 'epoch'),
    })),
    references: bugs.flatMap((bug) => {
      const number = numberIn(bug, 'bug_id')
      return number === null ? [] : [{ type: 'REPORT', url: `https://bugzilla.redhat.com/${number}` }]
    }),
  }
}

function numberIn(value: unknown, key: string): number | null {
  const number = fieldOf(value, key)
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/** `{"updates": […], "page": 1, "pages": 240, "rows_per_page": 100, "total": 23976}` */
export type Page = { updates: readonly unknown[]; page: number; pages: number; total: number }

/** Refuses (`RefusedData`) what is no answer of Bodhi. */
export function readPage(value: unknown, name: string): Page {
  const [page, pages, total] = ['page', 'pages', 'total'].map((key) => numberIn(value, key))
  if (!isPage(value) || typeof page !== 'number' || typeof pages !== 'number' || typeof total !== 'number')
    throw new RefusedData(`${name}: expected a page of updates, found JSON of another kind`)
  return { updates: listField(value, 'updates'), page, pages, total }
}

/** The updates of Fedora on a page as lines, each with the parts that are stored of it: so it is read as one that an operator gives. */
export function linesOf({ updates }: Page, name: string): string {
  return updates
    .filter(isOfFedora)
    .flatMap((value) => readUpdate(value, name) ?? [])
    .map(({ kept }) => `${JSON.stringify(kept)}\n`)
    .join('')
}
