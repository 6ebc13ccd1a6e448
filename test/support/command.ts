import pino from 'pino'
import { readAsked } from '../../src/cli/asked.ts'
import { Lifetime } from '../../src/cli/lifetime.ts'
import { openProcess, type Process } from '../../src/cli/open-process.ts'
import { provisionAll } from '../../src/cli/provision-all.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { configuredSources } from '../../src/vulndata/sources/all.ts'
import { withPooler } from './told-of-pooler.ts'

/**
 * Runs one CLI command inside the test process, which saves starting one. Returns what it prints, throws its refusals. `input` is its
 * standard input.
 */
export async function runCommand<T>(env: NodeJS.ProcessEnv, words: string[], input?: unknown): Promise<T> {
  const { name, command } = readCommand(words)
  const { config, secrets } = readConfig(withPooler(env), { servesHttp: false, sources: configuredSources })
  const log = pino({ level: 'silent' })
  const migrates = command.leavesSchema !== true
  const process = await openProcess({ config, secrets, role: name, log, migrates })
  try {
    return await runOn<T>(process, words, input)
  } finally {
    await process.close()
  }
}

/** The same with resources already open. */
export async function runOn<T>(opened: Process, words: string[], input?: unknown): Promise<T> {
  const { name, command, args } = readCommand(words)
  const lifetime = new Lifetime()
  try {
    // The only command that reads standard input, which is not this process's to read.
    const isProvision = name === 'provision'
    const result = isProvision ? await provisionAll(opened, input) : await command.run(opened, args, lifetime)
    return asPrinted(result) as T
  } finally {
    await lifetime.close()
  }
}

function readCommand(words: string[]): Extract<ReturnType<typeof readAsked>, { kind: 'command' }> {
  const asked = readAsked(words)
  if (asked.kind !== 'command') throw new Error(`"${words.join(' ')}" is no command`)
  return asked
}

/** A command's result as printed and parsed again. */
function asPrinted(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result))
}
