import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { DeclaredRows } from './declared-rows.ts'
import { portOf } from '../port-of.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * Returns the row types to test processes that report which queries they saw; the first request reads them, in a thread. When closed, it
 * says how many were compared with the database.
 */
export async function openRowTypes(): Promise<{ url: string; close: () => void }> {
  let reading: Promise<DeclaredRows> | undefined
  let words: string | undefined
  const compared = new Set<string>()
  const answer = async (sites: string[]) => {
    const declared = await (reading ??= readInThread())
    for (const site of sites) if (declared[site] !== undefined) compared.add(site)
    words = `${compared.size} of ${Object.keys(declared).length}`
    return JSON.stringify(declared)
  }
  const server = createServer((request, response) => {
    json(request)
      .then((sites) => answer(sites as string[]))
      .then(
        (rows) => response.end(rows),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: () => {
      server.close()
      if (words !== undefined) console.log(`Raw reads whose rows were compared with their types: ${words}.`)
    },
  }
}

async function readInThread(): Promise<DeclaredRows> {
  const worker = new Worker(new URL('./read-declared-rows.ts', import.meta.url), { workerData: root })
  const [rows] = (await once(worker, 'message')) as [DeclaredRows]
  return rows
}
