import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from './deps.ts'

/** The process runs and answers. */
export function healthz(): { status: 'ok' } {
  return { status: 'ok' }
}

type Readiness = { status: 'ready' | 'not_ready'; store: boolean; parser: boolean; stopping: boolean }

/** Whether requests should be sent here: the store answers with the known schema, the parser child lives, nothing is stopping. */
export async function readyz(
  deps: HttpDeps,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<Readiness> {
  const store = await isStoreReady(deps)
  const parser = deps.parser.state().isReady
  const stopping = deps.stopping.aborted
  const isReady = store && parser && !stopping
  reply.status(isReady ? 200 : 503).header('cache-control', 'no-store')
  return { status: isReady ? 'ready' : 'not_ready', store, parser, stopping }
}

async function isStoreReady(deps: HttpDeps): Promise<boolean> {
  try {
    return await deps.isStoreCurrent()
  } catch (error) {
    deps.log.warn({ err: error }, 'the store does not answer')
    return false
  }
}
