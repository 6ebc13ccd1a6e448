import { exitCodes, Failure, type Refusal } from './failure.ts'

/** The SBOM shape of the public interface. */
export type SbomReceipt = {
  id: string
  status: 'received' | 'parsed' | 'matched' | 'failed'
  components: number
  version: string | null
  url: string
  duplicate: boolean
}

/** Matching results: one count per finding; findings not affected are counted only in `notAffected`. */
export type Matches = {
  total: number
  bySeverity: Record<Severity, number>
  byGrade: Record<(typeof grades)[number], number>
  exploited: number
  /** Part of `total`; earlier versions of the service do not count it. */
  malware: number
  notAffected: number
  /** Distinct components: those that could be decided, and why the others could not. Reasons may be added. */
  coverage: { covered: number } & Readonly<Record<string, number>>
}

export type Severity = (typeof severities)[number]

/** One of the most urgent findings. */
export type Finding = {
  id: string
  severity: Severity
  malware: boolean
  exploited: boolean
  component: { name: string; version: string | null; purl: string | null }
  fixedIn: string | null
  url: string
}

/** A source behind a result. */
export type SourceBehind = {
  label: string
  /** `records`: findings come from it; `exploited`: it lists what is known to be exploited. */
  brings: 'records' | 'exploited'
  state: (typeof dataStates)[number]
  /** How many components are compared with it; null for lists of exploited vulnerabilities. */
  components: number | null
  lastSuccessAt: string | null
  failingSince: string | null
}

/**
 * `stale`: components that count as covered by a source that is not current.
 * `asOf`: when the service answered, by its own clock; null: unknown.
 */
/** `asOf`: when the service said so, by its own clock; null: unknown. */
export type DataBehind = { asOf: string | null; stale: number; sources: SourceBehind[] }

/** `data` and `worst` are null if an earlier version of the service does not send them. */
export type Result = { matches: Matches; data: DataBehind | null; worst: Finding[] | null }

/** The VEX document shape of the public interface. */
export type VexReceipt = {
  id: string
  format: string
  statements: number
  findings: number
  unbound: number
  version: string | null
  replaced: number
  url: string
  duplicate: boolean
}

const statuses = ['received', 'parsed', 'matched', 'failed'] as const
export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const
const grades = ['exact', 'possible'] as const
const dataStates = ['current', 'old', 'failing', 'never'] as const

type Fields = Record<string, unknown>

/** The answer to an upload of an SBOM, or to a request for one. */
export function readSbomReceipt(body: unknown): SbomReceipt {
  const fields = objectOf(body)
  const status = statuses.find((known) => known === fields['status'])
  if (status === undefined) throw foreignAnswer()
  return {
    id: text(fields, 'id'),
    status,
    components: count(fields, 'components'),
    version: optionalText(fields, 'version'),
    url: text(fields, 'url'),
    duplicate: fields['duplicate'] === true,
  }
}

/** The result in an answer to a results token; null if the SBOM was replaced and has no counts. */
export function readResult(body: unknown, answeredAt: string | null): Result | null {
  const fields = objectOf(body)
  if (fields['replaced'] === true && fields['matches'] === undefined) return null
  const matches = objectOf(fields['matches'])
  const coverage = objectOf(matches['coverage'])
  return {
    matches: {
      total: count(matches, 'total'),
      bySeverity: counts(objectOf(matches['bySeverity']), severities),
      byGrade: counts(objectOf(matches['byGrade']), grades),
      exploited: count(matches, 'exploited'),
      malware: matches['malware'] === undefined ? 0 : count(matches, 'malware'),
      notAffected: count(matches, 'notAffected'),
      coverage: { ...counts(coverage, Object.keys(coverage)), covered: count(coverage, 'covered') },
    },
    data: fields['data'] === undefined ? null : readData(objectOf(fields['data']), answeredAt),
    worst: Array.isArray(fields['worst']) ? fields['worst'].map(readFinding) : null,
  }
}

function readData(fields: Fields, answeredAt: string | null): DataBehind {
  const sources = fields['sources']
  return {
    asOf: answeredAt,
    stale: count(fields, 'stale'),
    sources: Array.isArray(sources) ? sources.map(readSource) : [],
  }
}

/** An unknown state counts as not current. */
function readSource(value: unknown): SourceBehind {
  const fields = objectOf(value)
  return {
    label: text(fields, 'label'),
    brings: fields['brings'] === 'exploited' ? 'exploited' : 'records',
    state: dataStates.find((known) => known === fields['state']) ?? 'old',
    components: fields['components'] === null ? null : count(fields, 'components'),
    lastSuccessAt: optionalText(fields, 'lastSuccessAt'),
    failingSince: optionalText(fields, 'failingSince'),
  }
}

function readFinding(value: unknown): Finding {
  const fields = objectOf(value)
  const component = objectOf(fields['component'])
  return {
    id: text(fields, 'id'),
    severity: severities.find((known) => known === fields['severity']) ?? 'unknown',
    malware: fields['malware'] === true,
    exploited: fields['exploited'] === true,
    component: {
      name: text(component, 'name'),
      version: optionalText(component, 'version'),
      purl: optionalText(component, 'purl'),
    },
    fixedIn: optionalText(fields, 'fixedIn'),
    url: text(fields, 'url'),
  }
}

/** The answer to an upload of a VEX document. */
export function readVexReceipt(body: unknown): VexReceipt {
  const fields = objectOf(body)
  return {
    id: text(fields, 'id'),
    format: text(fields, 'format'),
    statements: count(fields, 'statements'),
    findings: count(fields, 'findings'),
    unbound: count(fields, 'unbound'),
    version: optionalText(fields, 'version'),
    replaced: count(fields, 'replaced'),
    url: text(fields, 'url'),
    duplicate: fields['duplicate'] === true,
  }
}

/** An error answer (docs/public-api.md, "Errors"); null if the body is not the service's, for example a proxy's. */
export function readRefusal(status: number, body: unknown): Refusal | null {
  if (typeof body !== 'object' || body === null) return null
  const { error, message, detail, fields } = body as Fields
  if (typeof error !== 'string' || typeof message !== 'string') return null
  return { status, code: error, message, detail: typeof detail === 'string' ? detail : fieldsText(fields) }
}

function fieldsText(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null) return null
  const parts = Object.entries(fields).map(([name, problem]) => `${name}: ${String(problem)}`)
  return parts.length === 0 ? null : parts.join('; ')
}

function foreignAnswer(): Failure {
  return new Failure(
    exitCodes.unreachable,
    'the answer does not come from SBOM Monitor; is the address right, or is there a proxy on the way?',
  )
}

function objectOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw foreignAnswer()
  return value as Fields
}

function text(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw foreignAnswer()
  return value
}

function optionalText(fields: Fields, name: string): string | null {
  return fields[name] === null ? null : text(fields, name)
}

function count(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw foreignAnswer()
  return value
}

function counts<Name extends string>(fields: Fields, names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, count(fields, name)])) as Record<Name, number>
}
