import { flushCompileCache } from 'node:module'
import { runParserChild } from './parser/child.ts'
import { laneNamed } from './parser/lanes.ts'
import { readConfig } from './platform/config/config.ts'
import { createLog } from './platform/log.ts'

/** The program of a parser child: what reads and stores files and nothing else, because each HTTP process has two of them. */
const { config } = readConfig(process.env)
const running = runParserChild(
  laneNamed(process.argv[3]),
  createLog(config, { role: 'parser', stream: 'stdout' }),
)
// Now and not at the end: a child may be killed.
flushCompileCache()
await running
