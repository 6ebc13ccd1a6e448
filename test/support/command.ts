import pino from 'pino'
import { readAsked } from '../../src/cli/asked.ts'
import { openProcess } from '../../src/cli/open-process.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { configuredSources } from '../../src/vulndata/sources/all.ts'
import { withPooler } from './told-of-pooler.ts'

/**
 * Runs one command of the product's command line in the test's own process, where a process for it would do nothing for the test but start. What it
 * prints comes back, its refusals are thrown. One that reads standard input needs a process: `runCli`.
 */
export async function runCommand<T>(env: NodeJS.ProcessEnv, words: string[]): Promise<T> {
  const { name, command, args } = readCommand(words)
  const { config, secrets } = readConfig(withPooler(env), { servesHttp: false, sources: configuredSources })
  const log = pino({ level: 'silent' })
  const migrates = command.leavesSchema !== true
  const process = await openProcess({ config, secrets, role: name, log, migrates })
  try {
    return asPrinted(await command.run(process, args)) as T
  } finally {
    await process.close()
  }
}

export function readCommand(words: string[]): Extract<ReturnType<typeof readAsked>, { kind: 'command' }> {
  const asked = readAsked(words)
  if (asked.kind !== 'command') throw new Error(`"${words.join(' ')}" is no command`)
  return asked
}

/** A result of a command as the command line prints it, and whoever reads that gets it. */
export function asPrinted(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result))
}
