import { commands, UsageError, type Command } from './cli/commands.ts'
import { createLog, openProcess, type Process } from './cli/open-process.ts'
import { startServe, startWork } from './cli/roles.ts'
import { runDemo } from './cli/demo.ts'
import { BackupError } from './database/backup/backup-error.ts'
import { MigrationError } from './database/migration-files.ts'
import { runParserChild } from './parser/child.ts'
import { ConfigError, readConfig, type Config, type Secrets } from './platform/config.ts'
import { isStoreAway } from './platform/postgres/store-away.ts'
import { StoreError } from './platform/postgres/store-error.ts'
import { RefusedData } from './vulndata/refused-data.ts'

/** Roles run until they are stopped; commands do one thing and end. This is the only file that reads the environment or exits. */
const roles = {
  all: 'the service: HTTP, jobs and schedules (the default)',
  serve: 'HTTP only',
  work: 'jobs and schedules only',
  demo: 'the service on a throw-away store with a sample workspace; prints what was found in a sample SBOM',
} as const

const stopWithinMs = 10_000

async function main(args: string[]): Promise<void> {
  const name = args[0] ?? 'all'
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help())
    return
  }
  const { config, secrets } = readConfig(process.env)
  if (name === 'parse') return runParserChild(createLog(config, { role: 'parser', stream: 'stdout' }))
  if (name === 'demo') return runDemo({ config, secrets, onStop })
  if (name in roles) return runRole(name as 'all' | 'serve' | 'work', config, secrets)
  const found = findCommand(args)
  if (found === undefined) throw new UsageError(`unknown command "${args.join(' ')}"\n\n${help()}`)
  if (found.args.includes('--help')) {
    process.stdout.write(`${found.command.usage}\n  ${found.command.summary}\n`)
    return
  }
  await runCommand(found, config, secrets)
}

async function runRole(role: 'all' | 'serve' | 'work', config: Config, secrets: Secrets): Promise<void> {
  const log = createLog(config, { role, stream: 'stdout' })
  log.info({ version: process.version }, 'starting')
  if (!config.baseUrl.startsWith('https:')) {
    log.warn('BASE_URL is plain http: good for trying out only, because published documents carry it')
  }
  const opened = await openProcess({ config, secrets, role, log })
  const work = role === 'serve' ? undefined : await startWork(opened)
  const http = role === 'work' ? undefined : await startServe(opened)
  onStop(async () => {
    log.info('stopping')
    await http?.stop()
    await work?.stop()
    await opened.close()
    log.info('stopped')
  })
}

/** Stops once, on the first signal, within ten seconds. */
function onStop(stop: () => Promise<void>): void {
  let isStopping = false
  const handle = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    stop().then(() => process.exit(0), fail)
  }
  process.once('SIGTERM', handle)
  process.once('SIGINT', handle)
}

type FoundCommand = { name: string; command: Command; args: string[] }

function findCommand(args: string[]): FoundCommand | undefined {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ')
    const command = commands[name]
    if (command !== undefined) return { name, command, args: args.slice(words) }
  }
  return undefined
}

async function runCommand(
  { name, command, args }: FoundCommand,
  config: Config,
  secrets: Secrets,
): Promise<void> {
  const log = createLog(
    { ...config, logLevel: process.env['LOG_LEVEL'] ?? 'warn' },
    { role: name, stream: 'stderr' },
  )
  const opened: Process = await openProcess({
    config,
    secrets,
    role: name,
    log,
    migrates: command.leavesSchema !== true,
  })
  try {
    const result = await command.run(opened, args)
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  } finally {
    await opened.close()
  }
}

function help(): string {
  const lines = (entries: [string, string][]) =>
    entries.map(([name, text]) => `  ${name}\n      ${text}\n`).join('')
  const commandLines = Object.values(commands).map(({ usage, summary }): [string, string] => [usage, summary])
  return `Usage: npm start, or npm run -s cli -- <command>\n\nRoles\n${lines(Object.entries(roles))}\nCommands\n${lines(commandLines)}`
}

/** What an operator can put right is said in words; anything else is a defect and shows its stack. */
function fail(error: unknown): void {
  const text = operatorsText(error)
  process.stderr.write(`${text ?? describe(error)}\n`)
  process.exit(text === undefined ? 1 : 2)
}

function operatorsText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const kinds = [ConfigError, UsageError, StoreError, RefusedData, BackupError, MigrationError]
  if (kinds.some((kind) => error instanceof kind)) return error.message
  if (isStoreAway(error))
    return `The store was lost while this ran: ${error.message}. Run it again once the store is back.`
  return undefined
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main(process.argv.slice(2)).catch(fail)
