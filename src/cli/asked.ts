import { UsageError, type Command } from './command.ts'
import { commands } from './commands.ts'
import { editDistance } from './edit-distance.ts'
import { fetchedSources } from '../vulndata/sources/all.ts'

/** Roles run until they are stopped; commands do one thing and end. */
export const roles = {
  all: 'the service: HTTP, jobs and schedules (the default)',
  serve: 'HTTP only',
  work: 'jobs and schedules only',
  demo: 'the service on a throw-away database with a sample workspace; prints what was found in a sample SBOM',
} as const

export type Role = keyof typeof roles

export type AskedCommand = { name: string; command: Command; args: string[] }

export type Asked =
  | { kind: 'help'; text: string }
  | { kind: 'build-web' }
  | { kind: 'role'; role: Role }
  | ({ kind: 'command' } & AskedCommand)

const buildWeb = 'build the web application where it is missing or older than its sources'

/**
 * What the words of a command line ask for. Judged before the environment is read and anything is opened: `serve --help` starts no service,
 * and `migrate --dry-run` migrates nothing. Throws UsageError for what makes no sense.
 */
export function readAsked(words: string[]): Asked {
  const [name = 'all', ...rest] = words
  if (name === 'help' || asksForHelp(name)) return { kind: 'help', text: help() }
  if (name === 'build-web') return helpOr(rest, name, buildWeb) ?? { kind: 'build-web' }
  if (isRole(name)) return helpOr(rest, name, roles[name]) ?? { kind: 'role', role: name }
  const found = findCommand(words)
  if (found === undefined) throw new UsageError(unknownCommand(words))
  refuseNearMiss(found)
  const { usage, summary } = found.command
  const text = helpOr(takesNothing(usage) ? found.args : found.args.filter(asksForHelp), usage, summary)
  return text ?? { kind: 'command', ...found }
}

const asksForHelp = (word: string) => word === '--help' || word === '-h'
const isRole = (name: string): name is Role => Object.hasOwn(roles, name)
/** Its usage names neither an argument nor an option; `<` before a space reads standard input. */
const takesNothing = (usage: string) => !/[<[]\S/.test(usage)

/** For what takes nothing but `--help`: any other word was meant to change something, and would not. */
function helpOr(args: string[], usage: string, summary: string): Asked | undefined {
  if (args.some(asksForHelp)) return { kind: 'help', text: `${usage}\n  ${summary}\n` }
  if (args.length === 0) return undefined
  throw new UsageError(`expected nothing after "${usage}", found "${args.join(' ')}"`)
}

function findCommand(words: string[]): AskedCommand | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command !== undefined) return { name, command, args: words.slice(count) }
  }
  return undefined
}

/** `backup verfy` would write a backup to a file of that name: a word that is nearly the second one of another command is taken for it. */
function refuseNearMiss({ name, args: [word = ''] }: AskedCommand): void {
  const meant = Object.keys(commands)
    .flatMap((other) => (other.startsWith(`${name} `) ? other.slice(name.length + 1) : []))
    .find((second) => editDistance(word.toLowerCase(), second) <= Math.ceil(second.length / 3))
  if (meant !== undefined)
    throw new UsageError(
      `unknown command "${name} ${word}"; did you mean "${name} ${meant}"? (write a file of that name as "./${word}")`,
    )
}

/** One line: after a typing error one looks for one name, not for all. */
function unknownCommand(words: string[]): string {
  const names = [...Object.keys(roles), 'build-web', ...Object.keys(commands)]
  const seconds = names
    .map((name) => name.split(' '))
    .flatMap(([first, second]) => (first === words[0] ? (second ?? []) : []))
  if (words.length === 1 && seconds.length > 0)
    return `unknown command "${words.join(' ')}"; it takes a second word: ${seconds.join(', ')} (help lists all commands)`
  const typed = (name: string) => words.slice(0, name.split(' ').length).join(' ')
  const nearest = names
    .map((name) => ({ name, distance: editDistance(typed(name), name) }))
    .toSorted((a, b) => a.distance - b.distance)
    .find(({ name, distance }) => distance <= Math.ceil(name.length / 3))
  const hint = nearest === undefined ? '' : `; did you mean "${nearest.name}"?`
  return `unknown command "${words.join(' ')}"${hint} (help lists all commands)`
}

function help(): string {
  const lines = (entries: [string, string][]) =>
    entries.map(([name, text]) => `  ${name}\n      ${text}\n`).join('')
  const commandLines = Object.values(commands).map(({ usage, summary }): [string, string] => [usage, summary])
  const sourceLines = fetchedSources.map(({ label, feed }): [string, string] => [
    feed.variable,
    `${label}: ${feed.address}`,
  ])
  return `Usage: npm start, or npm run -s cli -- <command>\n\nRoles\n${lines(Object.entries(roles))}\nCommands\n${lines(commandLines)}\nSources of vulnerability data, with the variable that sets the address or, by "off", switches one off\n${lines(sourceLines)}`
}
