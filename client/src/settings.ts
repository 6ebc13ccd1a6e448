import type { PullCommand, SendingCommand } from './arguments.ts'
import { usageFailure } from './failure.ts'
import { variable, type Environment } from './ports.ts'

/** Where to send, and the credentials. */
export type Settings = {
  /** Without trailing slash. */
  baseUrl: string
  uploadToken: string
  resultsToken: string | null
}

const tokenPattern = /^svc_[A-Za-z0-9_-]{43}$/

/** Checks address and tokens before anything is sent; reports all mistakes at once. Fails as usage. */
export function readSettings(env: Environment, command: SendingCommand): Settings {
  const mistakes: string[] = []
  const settings = judgeSettings(env, command, mistakes)
  if (mistakes.length > 0) throw usageFailure(mistakes.join('\n'))
  return settings
}

/** A Dependency-Track, without trailing slash, and its key. */
export type TrackerSettings = { trackerUrl: string; key: string }

/** The same, and where to copy from. Fails as usage. */
export function readPullSettings(env: Environment, command: PullCommand): Settings & TrackerSettings {
  const mistakes: string[] = []
  const settings = judgeSettings(env, command, mistakes)
  const address = command.tracker ?? variable(env, 'DEPENDENCY_TRACK_URL')
  const key = variable(env, 'DEPENDENCY_TRACK_KEY')
  if (address === null) mistakes.push('set DEPENDENCY_TRACK_URL or give --tracker')
  if (key === null)
    mistakes.push('set DEPENDENCY_TRACK_KEY to a key of a team with the permission VIEW_PORTFOLIO')
  const trackerUrl = address === null ? '' : judgeAddress(address, 'Dependency-Track', mistakes)
  if (mistakes.length > 0) throw usageFailure(mistakes.join('\n'))
  return { ...settings, trackerUrl, key: key ?? '' }
}

function judgeSettings(env: Environment, command: SendingCommand, mistakes: string[]): Settings {
  const address = command.server ?? variable(env, 'SBOM_MONITOR_URL')
  const uploadToken = variable(env, 'SBOM_MONITOR_TOKEN')
  const resultsToken =
    command.kind === 'upload' && command.isWaiting ? variable(env, 'SBOM_MONITOR_RESULTS_TOKEN') : null
  if (address === null) mistakes.push('set SBOM_MONITOR_URL or give --server')
  const baseUrl = address === null ? '' : judgeAddress(address, 'the service', mistakes)
  if (uploadToken === null) {
    mistakes.push('set SBOM_MONITOR_TOKEN to an upload token of the product family')
  } else judgeToken('SBOM_MONITOR_TOKEN', uploadToken, mistakes)
  if (resultsToken !== null) judgeToken('SBOM_MONITOR_RESULTS_TOKEN', resultsToken, mistakes)
  else mistakes.push(...wantsOfResults(command))
  return { baseUrl, uploadToken: uploadToken ?? '', resultsToken }
}

/** Options of a command that need a results token, which is missing. */
function wantsOfResults(command: SendingCommand): string[] {
  if (command.kind !== 'upload') return []
  const needs = 'needs SBOM_MONITOR_RESULTS_TOKEN: an upload token cannot read what was found'
  if (command.failOn.length > 0) return [`--fail-on ${needs}`]
  return Object.values(command.reports).some((path) => path !== null) ? [`a report ${needs}`] : []
}

/** The token itself is never part of a message. */
function judgeToken(name: string, token: string, mistakes: string[]): void {
  if (tokenPattern.test(token)) return
  mistakes.push(
    `${name} does not look like a token: expected svc_ and 43 characters, found ${token.length} characters`,
  )
}

/** A token is sent with every request: https, or http that does not leave this machine. */
function judgeAddress(address: string, whose: string, mistakes: string[]): string {
  if (!URL.canParse(address)) {
    mistakes.push(`the address of ${whose} is not a URL`)
    return ''
  }
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') {
    mistakes.push(`the address of ${whose} must not carry a user name or password`)
  }
  if (url.search !== '' || url.hash !== '') mistakes.push(`the address of ${whose} must end with its path`)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    mistakes.push(`the address of ${whose} must start with https:// (http:// only for this machine)`)
  }
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}

/** Checks the host as normalised by URL: `127.1` has become `127.0.0.1`. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
