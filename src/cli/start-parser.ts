import { fileURLToPath } from 'node:url'
import { startParser, type Parser } from '../parser/client.ts'
import type { Process } from './open-process.ts'

/** After the server has stopped, which takes at most seven seconds. */
const closeWithinMs = 2_000

/**
 * The parser children of a process that serves. They read their program while the process reads its own and opens the database: start them
 * first.
 */
export function startParserOf(
  { config, log }: Pick<Process, 'config' | 'log'>,
  opening: Promise<Process>,
): Promise<Parser> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const parser = startParser({
    entry: { module: main, args: ['parse'] },
    store: opening.then(({ connection, originalsSettings }) => ({
      connection,
      originals: originalsSettings,
    })),
    clockOffsetFile: config.lab.clockOffsetFile,
    onObjectStoreFailed: (call) => {
      void opening.then(({ originals }) => (originals.failures[call] += 1))
    },
    poolSize: config.store.parserPoolSize,
    log,
  })
  return Promise.resolve(parser)
}

export function closeParser(parser: Parser): Promise<void> {
  return parser.close(closeWithinMs)
}
