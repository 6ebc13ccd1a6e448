import { expectTypeOf, it } from 'vitest'
import type { Db, Tx } from '../../src/database/connection.ts'
import type { enqueue } from '../../src/queue/enqueue.ts'
import type { recordAct, recordActs } from '../../src/audit/record-acts.ts'
import type { enqueueRefresh } from '../../src/workspace/monitoring/enqueue-refresh.ts'

/** The compiler decides: `npm run types` fails where one of these takes a connection that is no transaction. */
it('jobs and audit events are written in a transaction only', () => {
  type First<T extends (...given: never[]) => unknown> = Parameters<T>[0]
  expectTypeOf<Tx>().toExtend<First<typeof enqueue>>()
  expectTypeOf<Db>().not.toExtend<First<typeof enqueue>>()
  expectTypeOf<Db>().not.toExtend<First<typeof recordAct>>()
  expectTypeOf<Db>().not.toExtend<First<typeof recordActs>>()
  expectTypeOf<Db>().not.toExtend<First<typeof enqueueRefresh>>()
})
