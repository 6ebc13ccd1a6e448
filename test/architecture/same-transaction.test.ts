import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectTypeOf, it } from 'vitest'
import type { Db, Tx } from '../../src/database/connection.ts'
import type { enqueue } from '../../src/queue/enqueue.ts'
import type { recordAct, recordActs } from '../../src/audit/record-acts.ts'
import type { enqueueRefresh } from '../../src/workspace/monitoring/enqueue-refresh.ts'

/** Enforced by the compiler: `npm run lint` fails where one of these gets a connection that is not a transaction. */
it('jobs and audit events are written in a transaction only', () => {
  type First<T extends (...given: never[]) => unknown> = Parameters<T>[0]
  expectTypeOf<Tx>().toExtend<First<typeof enqueue>>()
  expectTypeOf<Db>().not.toExtend<First<typeof enqueue>>()
  expectTypeOf<Db>().not.toExtend<First<typeof recordAct>>()
  expectTypeOf<Db>().not.toExtend<First<typeof recordActs>>()
  expectTypeOf<Db>().not.toExtend<First<typeof enqueueRefresh>>()
})

/** A row locked FOR UPDATE blocks every row that refers to it, so that two unrelated acts could deadlock. */
it('a row is locked so that what refers to it goes on, but where a workspace is frozen, ended or given another address', () => {
  const src = join(import.meta.dirname, '../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const held = files.filter((name) => readFileSync(join(src, name), 'utf8').includes('.forUpdate('))
  expect(held).toEqual(['workspace/workspaces.ts'])
})
