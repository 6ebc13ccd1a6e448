import { fileURLToPath } from 'node:url'
import { startParser, type Parser } from '../parser/client.ts'
import type { Process } from './open-process.ts'

/** After the server has stopped, which takes seven seconds at the most. */
const closeWithinMs = 2_000

/** The parser children of a process that serves. They read the program while the process reads its own: start them first. */
export function startParserOf({
  config,
  connection,
  originals,
  originalsSettings,
  log,
}: Process): Promise<Parser> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const parser = startParser({
    entry: { module: main, args: ['parse'] },
    connection,
    clockOffsetFile: config.lab.clockOffsetFile,
    originals: originalsSettings,
    onObjectStoreFailed: (call) => (originals.failures[call] += 1),
    poolSize: config.store.parserPoolSize,
    log,
  })
  return Promise.resolve(parser)
}

export function closeParser(parser: Parser): Promise<void> {
  return parser.close(closeWithinMs)
}
