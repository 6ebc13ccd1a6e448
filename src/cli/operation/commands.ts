import { parseArgs } from 'node:util'
import type { Command } from '../command.ts'
import type { Process } from '../open-process.ts'

/** What an operator asks and does about the installation; none of it shows what a workspace has stored. */
export const operationCommands: Record<string, Command> = {
  retention: {
    usage: 'retention [--dry-run]',
    summary: 'remove what has been kept long enough, as the schedule does; with --dry-run only count it',
    run: retain,
  },
}

async function retain({ db, now }: Process, args: string[]): Promise<unknown> {
  const { values } = parseArgs({ args, options: { 'dry-run': { type: 'boolean', default: false } } })
  const { countRetention, runRetention } = await import('../../worker/retention.ts')
  return values['dry-run']
    ? { wouldRemove: await countRetention(db, now()) }
    : { removed: await runRetention(db, now()) }
}
