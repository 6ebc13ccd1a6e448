import { parseArgs } from 'node:util'
import { parseAge, type MaxDataAge } from './data-age.ts'
import { sources, type Details } from './details.ts'
import { usageFailure } from './failure.ts'
import { parsePolicy, type PolicyTerm } from './policy.ts'
import type { ReportFiles } from './reports/write-reports.ts'

/** Options of both commands that send one file. */
type Sending = {
  file: string
  server: string | null
  /** For the whole run, waiting included. */
  timeoutMs: number
  isJson: boolean
  /** Overrides the CI system's details. */
  given: Details
}
export type UploadCommand = Sending & {
  kind: 'upload'
  isWaiting: boolean
  failOn: PolicyTerm[]
  allowsUnchecked: boolean
  allowsMalware: boolean
  /** With older data a policy cannot judge. */
  maxDataAge: MaxDataAge | null
  reports: ReportFiles
}
export type VexCommand = Sending & { kind: 'vex' }
/** Copies BOMs from Dependency-Track; by default those of all its projects. */
export type PullCommand = Pick<Sending, 'server' | 'timeoutMs' | 'isJson'> & {
  kind: 'pull-dependency-track'
  /** Overrides DEPENDENCY_TRACK_URL. */
  tracker: string | null
  projects: string[]
  tag: string | null
  /** State kept between runs: what was copied. */
  stateFile: string
}
export type SendingCommand = UploadCommand | VexCommand | PullCommand
export type Command = SendingCommand | { kind: 'help' } | { kind: 'version' }

const everywhere = {
  server: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
} as const
const shared = {
  ...everywhere,
  'product-version': { type: 'string' },
  source: { type: 'string' },
} as const
const ofUpload = {
  ...shared,
  wait: { type: 'boolean' },
  'fail-on': { type: 'string' },
  'allow-unchecked': { type: 'boolean' },
  'allow-malware': { type: 'boolean' },
  'max-data-age': { type: 'string' },
  summary: { type: 'string' },
  sarif: { type: 'string' },
  junit: { type: 'string' },
  annotations: { type: 'string' },
  commit: { type: 'string' },
  branch: { type: 'string' },
  repo: { type: 'string' },
  'run-url': { type: 'string' },
} as const
const ofPull = {
  ...everywhere,
  tracker: { type: 'string' },
  project: { type: 'string', multiple: true },
  tag: { type: 'string' },
  state: { type: 'string' },
} as const

const defaultStateFile = 'sbom-monitor-dependency-track.json'
const defaultTimeoutSeconds = 600
const maxTimeoutSeconds = 86_400

/** Parses the words after the program's name; the first is the command. Fails as usage. */
export function parseArguments(args: readonly string[]): Command {
  const [name, ...rest] = args
  if (name === 'help' || args.includes('--help') || args.includes('-h')) return { kind: 'help' }
  if (name === '--version' || name === 'version') return { kind: 'version' }
  if (name === 'upload') return parseUpload(rest)
  if (name === 'vex') return parseVex(rest)
  if (name === 'pull-dependency-track') return parsePull(rest)
  throw usageFailure('the first word must be a command: upload, vex or pull-dependency-track; see --help')
}

function parseUpload(args: string[]): UploadCommand {
  const { values, positionals } = parsed(
    () => parseArgs({ args, options: ofUpload, allowPositionals: true }),
    args,
  )
  const failOn = values['fail-on'] === undefined ? [] : parsePolicy(values['fail-on'])
  const details = {
    commit: values.commit ?? null,
    branch: values.branch ?? null,
    repository: values.repo ?? null,
    runUrl: values['run-url'] ?? null,
  }
  const reports = {
    summary: values.summary ?? null,
    sarif: values.sarif ?? null,
    junit: values.junit ?? null,
    annotations: values.annotations ?? null,
  }
  const maxDataAge = readMaxDataAge(values['max-data-age'], failOn)
  const isReporting = Object.values(reports).some((path) => path !== null)
  return {
    kind: 'upload',
    ...sending(positionals, values, details),
    isWaiting: values.wait === true || failOn.length > 0 || isReporting,
    failOn,
    allowsUnchecked: values['allow-unchecked'] === true,
    allowsMalware: values['allow-malware'] === true,
    maxDataAge,
    reports,
  }
}

function readMaxDataAge(text: string | undefined, failOn: readonly PolicyTerm[]): MaxDataAge | null {
  if (text === undefined) return null
  if (failOn.length === 0) throw usageFailure('--max-data-age needs --fail-on')
  return parseAge(text)
}

function parsePull(args: string[]): PullCommand {
  const { values, positionals } = parsed(
    () => parseArgs({ args, options: ofPull, allowPositionals: true }),
    args,
  )
  if (positionals.length > 0) throw usageFailure(`expected no file, found ${positionals.length}`)
  const projects = values.project ?? []
  const wrong = projects.find((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
  if (wrong !== undefined) throw usageFailure(`--project takes the UUID of a project, not "${wrong}"`)
  if (projects.length > 0 && values.tag !== undefined) {
    throw usageFailure('--project and --tag exclude each other')
  }
  return {
    kind: 'pull-dependency-track',
    server: values.server ?? null,
    timeoutMs: timeoutSeconds(values.timeout) * 1000,
    isJson: values.json === true,
    tracker: values.tracker ?? null,
    projects,
    tag: values.tag ?? null,
    stateFile: values.state ?? defaultStateFile,
  }
}

function parseVex(args: string[]): VexCommand {
  const { values, positionals } = parsed(
    () => parseArgs({ args, options: shared, allowPositionals: true }),
    args,
  )
  const details = { commit: null, branch: null, repository: null, runUrl: null }
  return { kind: 'vex', ...sending(positionals, values, details) }
}

type SharedValues = {
  'product-version'?: string | undefined
  source?: string | undefined
  server?: string | undefined
  timeout?: string | undefined
  json?: boolean | undefined
}

function sending(
  positionals: readonly string[],
  values: SharedValues,
  details: Pick<Details, 'commit' | 'branch' | 'repository' | 'runUrl'>,
): Sending {
  const [file] = positionals
  if (file === undefined || positionals.length > 1) {
    throw usageFailure(`expected exactly one file, found ${positionals.length}`)
  }
  return {
    file,
    server: values.server ?? null,
    timeoutMs: timeoutSeconds(values.timeout) * 1000,
    isJson: values.json === true,
    given: {
      ...details,
      productVersion: values['product-version'] ?? null,
      source: knownSource(values.source),
    },
  }
}

function timeoutSeconds(text: string | undefined): number {
  if (text === undefined) return defaultTimeoutSeconds
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > maxTimeoutSeconds) {
    throw usageFailure(`--timeout takes whole seconds from 1 to ${maxTimeoutSeconds}`)
  }
  return seconds
}

function knownSource(text: string | undefined): string | null {
  if (text === undefined) return null
  const source = sources.find((known) => known === text)
  if (source === undefined) throw usageFailure(`--source takes one of ${sources.join(', ')}`)
  return source
}

/** Turns errors of the argument parser into ours, and explains two common mistakes. */
function parsed<Result>(parse: () => Result, args: readonly string[]): Result {
  if (args.includes('--version')) {
    throw usageFailure(
      'the version of your product is --product-version; --version alone shows that of this tool',
    )
  }
  if (args.some((word) => /^--[a-z-]*(token|key)(=|$)/.test(word))) {
    throw usageFailure(
      'tokens and keys are read from the environment only: SBOM_MONITOR_TOKEN, SBOM_MONITOR_RESULTS_TOKEN, DEPENDENCY_TRACK_KEY',
    )
  }
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw usageFailure(`${error.message.split('. ', 1)[0] ?? ''}; see --help`)
  }
}
