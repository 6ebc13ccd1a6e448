import type { Process } from '../../src/cli/open-process.ts'
import { limits } from '../../src/contract/limits.ts'
import type { Tables } from '../../src/database/tables.ts'
import type { Parser, ParserJob } from '../../src/parser/client.ts'
import { lanes } from '../../src/parser/lanes.ts'
import { errorOf } from '../../src/parser/messages.ts'
import { performFile } from '../../src/parser/perform-file.ts'
import type { ParserTasks, TaskKind } from '../../src/parser/tasks.ts'
import { originalsInDatabase, type Originals } from '../../src/originals/originals.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'

/** Does the parser children's work in this process: for tests with small, well-meant files. */
export function startInnerParser({
  connection,
  log,
  now,
  originals = originalsInDatabase,
}: Pick<Process, 'connection' | 'log' | 'now'> & { originals?: Originals }): Parser {
  const pool = createPool(connection, {
    max: lanes.small.sessions,
    applicationName: 'sbom-monitor parser',
    log,
    pipeline: true,
  })
  const db = createQueries<Tables>(pool)
  const bounds = { maxFileBytes: limits.bodyDecompressedBytes, clock: now, originals }
  return {
    run: async <K extends TaskKind>({ kind, upload, body }: ParserJob<K>) => {
      using file = body
      const answer = await performFile(db, { id: 0, kind, upload, body: file.bytes }, bounds)
      if (answer.kind !== 'done') throw errorOf(answer)
      return answer.value as ParserTasks[K]['answer']
    },
    state: () => ({
      isReady: true,
      pid: process.pid,
      waitingFiles: 0,
      waitingBytes: 0,
      handedFiles: 0,
      large: { pid: process.pid, isReading: false },
    }),
    close: () => db.destroy(),
  }
}
