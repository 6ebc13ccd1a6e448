import type { FastifyRequest } from 'fastify'

/** Who sent a request, in ids only, for its log line. */
export type Caller =
  | { workspaceId: string; tokenId?: string; personId?: string }
  | { operatorSessionId: string }

const callers = new WeakMap<FastifyRequest, Caller>()

export function noteCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller)
}

/** Undefined until a known credential has been presented. */
export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request)
}
