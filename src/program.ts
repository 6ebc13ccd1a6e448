import { flushCompileCache } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { readAsked, type AskedCommand, type Role } from './cli/asked.ts'
import { buildWebWhenStale, WebBuildError } from './cli/build-web.ts'
import { printResult, UsageError } from './cli/command.ts'
import { Lifetime } from './cli/lifetime.ts'
import type { Process, ProcessOpening } from './cli/open-process.ts'
import { BackupError } from './backup/backup-error.ts'
import type { Observation } from './cli/observe.ts'
import type { Parser } from './parser/client.ts'
import { MigrationError } from './schema/migration-files.ts'
import { ConfigError, readConfig, type Config, type Secrets } from './platform/config/config.ts'
import { createLog, isReaderGone, openLog, type EndingLog } from './platform/log.ts'
import { isSessionLost, isStoreAway } from './platform/postgres/store-away.ts'
import { errorCode, StoreError } from './platform/postgres/store-error.ts'
import { ObjectStoreError } from './originals/objects/object-store.ts'
import { KeyFileError } from './platform/sealing/key-ring.ts'
import { RefusedData } from './source-files/refused-data.ts'
import { configuredSources } from './vulndata/sources/all.ts'

/**
 * Beside parse.ts this is the only file that reads settings from the environment or exits. What only some roles and commands work with is
 * loaded when it is called for: a command is over sooner than all of the program is loaded.
 */
const httpRoles: ReadonlySet<Role> = new Set<Role>(['all', 'serve', 'demo'])
/** A little less than the ten seconds that are promised. */
const stopWithinMs = 9_500

async function main(words: string[]): Promise<void> {
  const asked = readAsked(words)
  if (asked.kind !== 'role') goOnUnread()
  if (asked.kind === 'help') {
    process.stdout.write(asked.text)
    return
  }
  if (asked.kind === 'build-web') return buildWeb()
  const { config, secrets } = readConfig(process.env, {
    servesHttp: asked.kind === 'role' && httpRoles.has(asked.role),
    sources: configuredSources,
  })
  if (asked.kind === 'command') return runCommand(asked, config, secrets)
  if (asked.role !== 'demo') return runRole(asked.role, config, secrets)
  const { runDemo } = await import('./cli/demo.ts')
  const lifetime = new Lifetime()
  outliveReaders()
  onStop(() => lifetime.close())
  return startOrClose(lifetime, () => runDemo({ config, secrets, lifetime }))
}

/** As a shell says of a program that was ended by SIGPIPE. */
const nobodyReads = 128 + constants.signals.SIGPIPE

/** A command whose messages nobody reads does its work all the same; a result that nobody took, or that found no room, is told by the status. */
function goOnUnread(): void {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isUnread = error.code === 'EPIPE'
    if (!isUnread) process.stderr.write(`What was to be printed could not be written: ${error.message}\n`)
    process.exitCode ??= isUnread ? nobodyReads : 2
  })
}

/** The reader of a role's output may have gone: the service continues without it, but not without a log. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isReaderGone(error, stream)) fail(error)
    })
  }
}

async function runRole(role: Exclude<Role, 'demo'>, config: Config, secrets: Secrets): Promise<void> {
  const lifetime = new Lifetime()
  const onLost = (error: Error) => endWithoutLog(error, lifetime)
  const { log, end } = openLog(config, { role, stream: 'stdout', onLost })
  outliveReaders()
  const stop = async () => {
    log.info('stopping')
    await lifetime.close()
    log.info('stopped')
  }
  onStop(stop, { endLog: end })
  log.info({ version: process.version }, 'starting')
  if (!config.baseUrl.startsWith('https:')) {
    log.warn('BASE_URL is plain http: good for trying out only, because published documents carry it')
  }
  for (const entry of config.outboundAllowedHosts.bare) {
    log.warn(
      { entry },
      'OUTBOUND_ALLOWED_HOSTS: a host alone means https on port 443 and the addresses on it that you have set. Name use, scheme and ' +
        'port instead: sources=http://feeds.example.com:8080',
    )
  }
  await startOrClose(lifetime, async () => {
    const opening = openIn(lifetime, { config, secrets, role, log })
    // Those who await it are told, possibly later.
    opening.catch(() => undefined)
    const parser = role === 'work' ? null : await startParser(lifetime, { config, log, opening })
    readAhead(role)
    const opened = await opening
    const { stopping } = lifetime
    const { observeProcess, startWorkProbes } = await parts.observe()
    const observation = await observeProcess(opened, role)
    // Jobs wait until requests are answered. They are the first to be opened here, since they end after the last answer.
    const answering = Promise.withResolvers<unknown>()
    const working =
      role === 'serve'
        ? null
        : lifetime.open(() => startWorkAfter(answering.promise, opened, observation), stopPart)
    const serving =
      parser === null
        ? lifetime.open(() => startWorkProbes(opened, observation), stopPart)
        : lifetime.open(() => startServing(opened, { ...observation, parser, stopping }), stopPart)
    answering.resolve(serving)
    await Promise.all([answering.promise, working])
    const { outliveUnexpectedErrors } = await parts.unexpectedErrors()
    outliveUnexpectedErrors({ process, log, errors: observation.unexpectedErrors })
  })
}

function openIn(lifetime: Lifetime, settings: Omit<ProcessOpening, 'stopping'>): Promise<Process> {
  return lifetime.open(
    async () => {
      const { openProcess } = await parts.process()
      return openProcess({ ...settings, stopping: lifetime.stopping })
    },
    ({ close }) => close(),
  )
}

type Opening = Pick<Process, 'config' | 'log'> & { opening: Promise<Process> }

/** Its children read the program while this process reads its own. */
async function startParser(lifetime: Lifetime, { opening, ...process }: Opening): Promise<Parser> {
  const { startParserOf, closeParser } = await parts.parser()
  return lifetime.open(() => startParserOf(process, opening), closeParser)
}

async function startServing(
  opened: Process,
  beside: Observation & { parser: Parser; stopping: AbortSignal },
): Promise<{ stop: () => Promise<void> }> {
  const { startServe } = await parts.serve()
  return startServe(opened, beside)
}

async function startWorkAfter(
  answering: Promise<unknown>,
  opened: Process,
  observation: Observation,
): Promise<{ stop: () => Promise<void> }> {
  await answering
  const { startWork } = await parts.work()
  return startWork(opened, observation)
}

/** What roles and commands are made of; each is read once, and none for `help` or for words that make no sense. */
const parts = {
  process: () => import('./cli/open-process.ts'),
  parser: () => import('./cli/start-parser.ts'),
  observe: () => import('./cli/observe.ts'),
  work: () => import('./cli/start-work.ts'),
  serve: () => import('./cli/start-serve.ts'),
  unexpectedErrors: () => import('./platform/unexpected-errors.ts'),
}

/** Reads what a role begins with while the database starts. What cannot be read fails where it is needed. */
function readAhead(role: 'all' | 'serve' | 'work'): void {
  for (const read of [parts.observe, role === 'work' ? parts.work : parts.serve])
    read().catch(() => undefined)
}

const stopPart = ({ stop }: { stop: () => Promise<void> }): Promise<void> => stop()

/** Leaves nothing open when starting fails; when it failed because the process was told to stop, that is no failure. */
async function startOrClose<T>(lifetime: Lifetime, start: () => Promise<T>): Promise<T | undefined> {
  try {
    const started = await start()
    // Now and not when the process ends: it may be killed.
    flushCompileCache()
    return started
  } catch (error) {
    const wasToldToStop = lifetime.stopping.aborted
    await lifetime.close()
    if (wasToldToStop) return undefined
    throw error
  }
}

async function buildWeb(): Promise<void> {
  const log = createLog({ logLevel: 'info' }, { role: 'build-web', stream: 'stderr' })
  await buildWebWhenStale(join(import.meta.dirname, '..'), { log })
}

/** The last one: the terminal was closed. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Finishes what was accepted: what comes next would happen unseen. Told more than once, it ends once. */
function endWithoutLog({ message }: Error, lifetime: Lifetime): void {
  if (lifetime.stopping.aborted) return
  process.stderr.write(
    `The log cannot be written (${message}), and the service does nothing without one, so it stops. Make room, and start again.\n`,
  )
  setTimeout(() => process.exit(2), stopWithinMs).unref()
  lifetime.close().then(() => process.exit(2), fail)
}

type Stopping = { isUnfinished?: boolean; endLog?: EndingLog['end'] }

/** Stops once, on the first signal, within ten seconds. */
function onStop(stop: () => Promise<void>, stopping: Stopping = {}): void {
  const { isUnfinished = false, endLog = () => Promise.resolve(true) } = stopping
  let isStopping = false
  const handle = (signal: (typeof stopSignals)[number]) => {
    // Ctrl-C comes twice under npm: from the terminal and from npm itself.
    if (isStopping) return
    isStopping = true
    setTimeout(() => void giveUpStopping(endLog), stopWithinMs).unref()
    const exitCode = isUnfinished ? 128 + constants.signals[signal] : 0
    stop().then(() => endBehindLog(endLog(lastLinesMs), () => process.exit(exitCode)), fail)
  }
  for (const signal of stopSignals) process.on(signal, handle)
}

/** A silent database would block whatever waits for it: jobs run again, and nothing acknowledged is lost. */
async function giveUpStopping(endLog: EndingLog['end']): Promise<void> {
  await endBehindLog(endLog(lateLinesMs), () => {
    process.stderr.write(`ended after ${stopWithinMs / 1_000} s, although not everything had stopped\n`)
    process.exit(1)
  })
}

/** A reader that is only slow takes the last lines meanwhile; after the time to stop nearly nothing is left of ten seconds. */
const lastLinesMs = 3_000
const lateLinesMs = 400

/** When nobody reads the log any more, its last lines would hold the process for ever, deaf to all but SIGKILL: so it ends itself. */
async function endBehindLog(isRead: Promise<boolean>, exit: () => void): Promise<void> {
  if (await isRead) exit()
  else process.kill(process.pid, 'SIGKILL')
}

async function runCommand(
  { name, command, args }: AskedCommand,
  config: Config,
  secrets: Secrets,
): Promise<void> {
  const log = createLog(config, { role: name, stream: 'stderr' })
  const migrates = command.leavesSchema !== true
  const lifetime = new Lifetime()
  onStop(() => lifetime.close(), { isUnfinished: true })
  await startOrClose(lifetime, async () => {
    const opened = await openIn(lifetime, { config, secrets, role: name, log, migrates })
    const result = await command.run(opened, args, lifetime)
    printResult(result)
  })
  if (lifetime.stopping.aborted) return
  await lifetime.close()
}

/** What an operator can correct is said in words; anything else is a defect and shows its stack. */
function fail(error: unknown): void {
  const text = operatorsText(error)
  process.stderr.write(`${text ?? describe(error)}\n`)
  process.exit(text === undefined ? 1 : 2)
}

const correctable = [
  ...[ConfigError, UsageError, StoreError, RefusedData, BackupError, MigrationError, KeyFileError],
  WebBuildError,
  ObjectStoreError,
]

function operatorsText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (correctable.some((kind) => error instanceof kind) || isWrongOption(error)) return error.message
  if (isSessionLost(error))
    return `The connection to the database was lost: ${error.message}. The log of the database says why. Run the command again once it is back.`
  if (errorCode(error) === '55P03')
    return 'Another session of the database has held a lock that this needs for too long. docs/troubleshooting.md, "What is locked", says how to find it. Run the command again once it has ended.'
  if (isStoreAway(error))
    return `The database could not do it now: ${error.message}. Run the command again once it can.`
  return undefined
}

/** What Node's own reader of options refuses. */
function isWrongOption(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS_')
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main(process.argv.slice(2)).catch(fail)
