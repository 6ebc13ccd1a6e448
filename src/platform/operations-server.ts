import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import type { Deps } from './deps.ts'
import { originForm } from './origin-form.ts'

export type Operations = {
  host: string
  port: number
  registry: Registry
  /** What `/readyz` answers; ready when `status` is `ready`. */
  readiness: () => Promise<{ status: 'ready' | 'not_ready' }>
  log: Deps['log']
}

export type OperationsServer = { port: number; stop: () => Promise<void> }

/** Probes and metrics, and nothing else, on a port that only the operator's network reaches. */
export async function startOperationsServer(operations: Operations): Promise<OperationsServer> {
  // Imported only when needed: importing the module also loads what Node keeps for later, such as WebSocket (30 ms of a start).
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const [path = ''] = originForm(request.url ?? '').split('?', 1)
    answer(operations, path, response).catch((error: unknown) => {
      operations.log.error({ err: error, path: request.url }, 'request failed')
      send(response, { status: 500, type: 'text/plain', text: 'The service could not complete the request.' })
    })
  })
  server.listen(operations.port, operations.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close()
      server.closeIdleConnections()
      return Promise.resolve()
    },
  }
}

async function answer(
  { registry, readiness }: Operations,
  path: string,
  response: ServerResponse,
): Promise<void> {
  if (path === '/healthz') {
    sendJson(response, 200, { status: 'ok' })
  } else if (path === '/readyz') {
    const state = await readiness()
    sendJson(response, state.status === 'ready' ? 200 : 503, state)
  } else if (path === '/metrics') {
    send(response, { status: 200, type: registry.contentType, text: await registry.metrics() })
  } else {
    send(response, { status: 404, type: 'text/plain', text: 'Not found' })
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, { status, type: 'application/json', text: JSON.stringify(body) })
}

type Text = { status: number; type: string; text: string }

function send(response: ServerResponse, { status, type, text }: Text): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
}
