import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoreState } from '../platform/readiness.ts'
import type { HttpDeps } from './deps.ts'

/** The process runs and answers: this one, and now. */
export function healthz(_deps: HttpDeps, _request: FastifyRequest, reply: FastifyReply): { status: 'ok' } {
  reply.header('cache-control', 'no-store')
  return { status: 'ok' }
}

export type Readiness = StoreState & {
  status: 'ready' | 'not_ready'
  parser: boolean
  stopping: boolean
  /** What is degraded while requests are still served, in words for operators. */
  degraded: string[]
}

/** `GET /readyz`: whether requests should be sent here. Answers within two seconds. */
export async function readyz(
  deps: HttpDeps,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<Readiness> {
  const readiness = await readinessOf(deps)
  reply.status(readiness.status === 'ready' ? 200 : 503).header('cache-control', 'no-store')
  return readiness
}

/** The database has the known schema and accepts writes, the parser child is alive, and the process is not stopping. */
export async function readinessOf(
  deps: Pick<HttpDeps, 'storeState' | 'parser' | 'stopping' | 'degraded'>,
): Promise<Readiness> {
  const state = await deps.storeState()
  const parser = deps.parser.state().isReady
  const stopping = deps.stopping.aborted
  const degraded = state.store ? await deps.degraded() : []
  const isReady = state.store && state.writable && parser && !stopping
  return { status: isReady ? 'ready' : 'not_ready', ...state, parser, stopping, degraded }
}
