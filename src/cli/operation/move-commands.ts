import { parseArgs } from 'node:util'
import { ServiceError } from '../../contract/errors.ts'
import { operator, UsageError, workspaceNamed, type Command } from '../command.ts'
import type { Process } from '../open-process.ts'
import { progressLine } from '../progress.ts'
import { originalColumns } from './objects.ts'

/** A workspace moves from one installation to another (docs/moving.md). */
export const moveCommands: Record<string, Command> = {
  'workspace freeze': {
    usage: 'workspace freeze <slug>',
    summary:
      'make a workspace read-only before it moves to another installation: nothing is received, opened or warned of, and everybody reads why; export does so too',
    run: inWords(freeze),
  },
  'workspace unfreeze': {
    usage: 'workspace unfreeze <slug>',
    summary:
      'give up a move: the workspace is used here again, its addresses lead nowhere else, and what arrived meanwhile is matched',
    run: inWords(unfreeze),
  },
  'workspace export': {
    usage: 'workspace export <slug> --to <file> --key <file>',
    summary:
      'freeze a workspace and write everything that moves with it to one file; the key is 32 random bytes of your own, which seal what is secret on the way',
    run: inWords(exportToFile),
  },
  'workspace import': {
    usage: 'workspace import <file> --key <file> [--slug <slug>]',
    summary: 'check an archive of a workspace and take it in: as a whole, or not at all',
    run: inWords(importFromFile),
  },
  'workspace redirect': {
    usage: 'workspace redirect <slug> --to <origin> [--until <day>]',
    summary:
      'after a move let the public addresses of a workspace lead to the other installation, until a day or for good; its tokens are refused here',
    run: inWords(redirect),
  },
  'workspace discard': {
    usage: 'workspace discard <slug>',
    summary:
      'remove the copy of a workspace that has moved; its public addresses keep leading to the other one',
    run: inWords(discard),
  },
}

type Run = Command['run']

/** What a step refuses is said without a stack. */
function inWords(run: Run): Run {
  return async (process, args, lifetime) => {
    const { MoveError } = await import('../../move/move-error.ts')
    try {
      return await run(process, args, lifetime)
    } catch (error) {
      if (!(error instanceof MoveError || error instanceof ServiceError)) throw error
      throw new UsageError(error.message, { cause: error })
    }
  }
}

const text = { type: 'string' } as const

/** The one thing that a command is about, and its options. */
function read<Name extends string>(
  args: string[],
  { expected, options }: { expected: string; options: readonly Name[] },
): { named: string; values: Partial<Record<Name, string>> } {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(options.map((name) => [name, text])),
  })
  const [named] = positionals
  if (named === undefined || positionals.length !== 1) throw new UsageError(`expected ${expected}`)
  return { named, values: values as Partial<Record<Name, string>> }
}

function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`expected --${option}`)
  return value
}

async function named(process: Process, slug: string) {
  return { workspaceId: await workspaceNamed(process.db, slug), actor: operator, now: process.now() }
}

async function freeze(process: Process, args: string[]): Promise<unknown> {
  const { named: slug } = read(args, { expected: 'a slug', options: [] })
  const { freezeWorkspace } = await import('../../workspace/moving.ts')
  await freezeWorkspace(process.db, await named(process, slug))
  return { slug, frozen: true }
}

async function unfreeze(process: Process, args: string[]): Promise<unknown> {
  const { named: slug } = read(args, { expected: 'a slug', options: [] })
  const { unfreezeWorkspace } = await import('../../workspace/moving.ts')
  await unfreezeWorkspace(process.db, await named(process, slug))
  return { slug, frozen: false }
}

async function exportToFile(process: Process, args: string[]): Promise<unknown> {
  const { named: slug, values } = read(args, { expected: 'a slug', options: ['to', 'key'] })
  const file = required(values.to, 'to')
  const { readTransportKey } = await import('../../move/archive.ts')
  const { packWorkspace } = await import('../../move/pack-workspace.ts')
  const { leftBehind } = await import('../../move/tables.ts')
  const transport = await readTransportKey(required(values.key, 'key'))
  const { header, originals, lost, tables } = await packWorkspace(process, {
    workspaceId: await workspaceNamed(process.db, slug),
    file,
    sealing: process.sealing,
    originals: process.originals,
    originalColumns: await originalColumns(),
    transport,
    clock: process.now,
    actor: operator,
    onProgress: progressLine(),
  })
  const rows = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.rows]))
  return {
    file,
    createdAt: header.createdAt,
    trail: header.trail,
    originals,
    lostOriginals: lost,
    rows,
    staysBehind: leftBehind(),
  }
}

async function importFromFile(process: Process, args: string[]): Promise<unknown> {
  const { named: file, values } = read(args, { expected: 'an archive', options: ['key', 'slug'] })
  const { readTransportKey } = await import('../../move/archive.ts')
  const { importWorkspace } = await import('../../move/import-workspace.ts')
  const { header, ...imported } = await importWorkspace(process, {
    file,
    ...(values.slug === undefined ? {} : { slug: values.slug }),
    sealing: process.sealing,
    originals: process.originals,
    originalColumns: await originalColumns(),
    transport: await readTransportKey(required(values.key, 'key')),
    actor: operator,
    now: process.now(),
    onProgress: progressLine(),
  })
  return { ...imported, createdAt: header.createdAt, trail: header.trail }
}

async function redirect(process: Process, args: string[]): Promise<unknown> {
  const { named: slug, values } = read(args, { expected: 'a slug', options: ['to', 'until'] })
  const origin = readOrigin(required(values.to, 'to'))
  const until = values.until === undefined ? null : readUntil(values.until, process.now())
  const { redirectWorkspace } = await import('../../workspace/moving.ts')
  await redirectWorkspace(process.db, { ...(await named(process, slug)), origin, until })
  return { slug, to: origin, until: until?.toISOString() ?? null }
}

async function discard(process: Process, args: string[]): Promise<unknown> {
  const { named: slug } = read(args, { expected: 'a slug', options: [] })
  const { discardWorkspace } = await import('../../workspace/moving.ts')
  await discardWorkspace(process.db, await named(process, slug))
  return { slug, discarded: true }
}

/** Addresses keep their paths, so that an origin is all that changes. */
function readOrigin(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  const isOrigin =
    url !== undefined && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === ''
  if (isOrigin && url.username === '' && (url.protocol === 'https:' || url.protocol === 'http:'))
    return url.origin
  throw new UsageError(`--to: expected an origin such as https://sbom.example.com; found "${typed}"`)
}

/** The end of a day, in UTC. */
function readUntil(typed: string, now: Date): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? new Date(`${typed}T23:59:59.999Z`) : new Date(Number.NaN)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== typed)
    throw new UsageError(`--until: expected a day such as 2027-06-30; found "${typed}"`)
  if (day <= now) throw new UsageError(`--until: expected a day to come; found "${typed}"`)
  return day
}
