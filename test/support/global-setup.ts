import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { TestProject } from 'vitest/node'
import { builtWebVariable, buildWeb } from './built-web.ts'
import { prepareStore, preparedStoreVariable } from './prepared-store.ts'
import { openRowTypes } from './row-types/serve-declared-rows.ts'
import { openRunFolder } from './run-folder.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { portOf } from './port-of.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Returns the run's TestServer; the first request starts it. */
    testServerUrl: string
    /** Returns the row types of raw queries; null where they are not checked. */
    declaredRowsUrl: string | null
  }
}

/**
 * One folder for all temporary files, and one database server per run, started when the first test file asks for it: a run of unit tests
 * alone starts none.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closeFolder = await openRunFolder({ inMemory: true })
  let started: ReturnType<typeof startTestServer> | null = null
  const door = await openDoor(async () => (await (started ??= startTestServer())).server)
  project.provide('testServerUrl', urlOf(door))
  let prepared: Promise<string> | null = null
  const storeDoor = await openDoor(() => (prepared ??= prepareStore()))
  // Scenarios started by tests use it too, and know nothing of vitest.
  process.env[preparedStoreVariable] = urlOf(storeDoor)
  let built: Promise<string> | null = null
  const webDoor = await openDoor(() => (built ??= buildWeb()))
  process.env[builtWebVariable] = urlOf(webDoor)
  const rows = process.env['ROW_TYPES'] === '1' ? await openRowTypes() : null
  project.provide('declaredRowsUrl', rows?.url ?? null)
  return async () => {
    door.close()
    storeDoor.close()
    webDoor.close()
    rows?.close()
    if (started !== null) await (await started).close()
    await closeFolder()
  }
}

async function openDoor(answer: () => Promise<TestServer | string>): Promise<Server> {
  const door = createServer((_request, response) => {
    answer().then(
      (answered) => response.end(JSON.stringify(answered)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return door
}

function urlOf(door: Server): string {
  return `http://127.0.0.1:${portOf(door)}`
}
