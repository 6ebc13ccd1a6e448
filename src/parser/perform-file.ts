import type { Db } from '../database/connection.ts'
import { errorAnswer, type Answer, type TaskFile } from './messages.ts'
import { parserTasks, type TaskBounds } from './tasks.ts'

/** The upload was written by `Parser.run`, whose types tie it to the kind. */
type Perform = (db: Db, upload: unknown, body: Uint8Array, bounds: TaskBounds) => Promise<unknown>

/** Does one file's task and answers for it whatever happens. */
export async function performFile(db: Db, file: TaskFile, bounds: TaskBounds): Promise<Answer> {
  try {
    const perform = parserTasks[file.kind] as Perform
    return { kind: 'done', value: await perform(db, file.upload, file.body, bounds) }
  } catch (error) {
    return errorAnswer(error)
  }
}
