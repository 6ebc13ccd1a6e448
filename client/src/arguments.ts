import { parseArgs } from 'node:util'
import { sources, type Details } from './details.ts'
import { usageFailure } from './failure.ts'
import { parsePolicy, type PolicyTerm } from './policy.ts'

/** What both commands that send a file are told. */
type Sending = {
  file: string
  server: string | null
  /** For the whole run, waiting included. */
  timeoutMs: number
  isJson: boolean
  /** Wins over what the CI system says. */
  given: Details
}
export type UploadCommand = Sending & {
  kind: 'upload'
  isWaiting: boolean
  failOn: PolicyTerm[]
  allowsUnchecked: boolean
}
export type VexCommand = Sending & { kind: 'vex' }
export type Command = UploadCommand | VexCommand | { kind: 'help' } | { kind: 'version' }

const shared = {
  'product-version': { type: 'string' },
  source: { type: 'string' },
  server: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
} as const
const ofUpload = {
  ...shared,
  wait: { type: 'boolean' },
  'fail-on': { type: 'string' },
  'allow-unchecked': { type: 'boolean' },
  commit: { type: 'string' },
  branch: { type: 'string' },
  repo: { type: 'string' },
  'run-url': { type: 'string' },
} as const

const defaultTimeoutSeconds = 600
const longestTimeoutSeconds = 86_400

/** Reads the words after the program's name; the first is the command. Fails as usage. */
export function parseArguments(args: readonly string[]): Command {
  const [name, ...rest] = args
  if (name === 'help' || args.includes('--help') || args.includes('-h')) return { kind: 'help' }
  if (name === '--version' || name === 'version') return { kind: 'version' }
  if (name === 'upload') return parseUpload(rest)
  if (name === 'vex') return parseVex(rest)
  throw usageFailure('the first word must be a command: upload or vex; see --help')
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
  const isWaiting = values.wait === true || failOn.length > 0
  const allowsUnchecked = values['allow-unchecked'] === true
  return { kind: 'upload', ...sending(positionals, values, details), isWaiting, failOn, allowsUnchecked }
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
  if (seconds < 1 || seconds > longestTimeoutSeconds) {
    throw usageFailure(`--timeout takes whole seconds from 1 to ${longestTimeoutSeconds}`)
  }
  return seconds
}

function knownSource(text: string | undefined): string | null {
  if (text === undefined) return null
  const source = sources.find((known) => known === text)
  if (source === undefined) throw usageFailure(`--source takes one of ${sources.join(', ')}`)
  return source
}

/** Turns the refusals of the reader of arguments into ours, with the two mistakes that are easy to make explained. */
function parsed<Result>(parse: () => Result, args: readonly string[]): Result {
  if (args.includes('--version')) {
    throw usageFailure(
      'the version of your product is --product-version; --version alone shows that of this tool',
    )
  }
  if (args.some((word) => /^--[a-z-]*token(=|$)/.test(word))) {
    throw usageFailure(
      'tokens are read from the environment only: SBOM_MONITOR_TOKEN, SBOM_MONITOR_RESULTS_TOKEN',
    )
  }
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw usageFailure(`${error.message.split('. ', 1)[0] ?? ''}; see --help`)
  }
}
