import { parseArgs } from 'node:util'
import type { Db } from '../database/connection.ts'
import type { Actor } from '../audit/record-acts.ts'
import type { Lifetime } from './lifetime.ts'
import type { Process } from './open-process.ts'

/**
 * A command prints its result as JSON on standard output, messages and progress on standard error. Each loads only the rooms it needs: loading all
 * of them takes longer than most commands. What a command must not leave behind, even when it is stopped, is opened in
 * the lifetime of its process.
 */
export type Command = {
  usage: string
  summary: string
  run: (process: Process, args: string[], lifetime: Lifetime) => Promise<unknown>
  /** The command takes the schema as it finds it; any other brings it up to date first. */
  leavesSchema?: true
}

/** Thrown for an invalid command line: printed without a stack. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const operator: Actor = { kind: 'system', id: null, name: 'command line' }

/** The one argument that a command takes. */
export function onlyArgument(args: string[], expected: string): string {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
  const [argument] = positionals
  // an unset variable of a script leaves an empty word
  if (argument === undefined || argument === '' || positionals.length !== 1)
    throw new UsageError(`expected ${expected}`)
  return argument
}

/** The id of the workspace that an operator names by its slug. */
export async function workspaceNamed(db: Db, slug: string): Promise<string> {
  const { selectWorkspaceId } = await import('../workspace/workspaces.ts')
  const workspaceId = await selectWorkspaceId(db, slug)
  if (workspaceId === undefined) throw new UsageError(`there is no workspace "${slug}"`)
  return workspaceId
}

/** What a command returns, as JSON on standard output. */
export function printResult(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
}
