import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { KeptFile, KeptFiles } from '../../advisories/feed/kept-files.ts'
import { newRequestId } from '../../platform/random.ts'
import type { HttpDeps } from '../deps.ts'
import { commonHeaders, hostProblem, recordAnswer, unknownCoding } from '../exchange/every-answer.ts'
import { pathOf } from '../request-log.ts'
import { isKnownHttps } from '../exchange/scheme.ts'
import { inTurn } from '../exchange/take-turns.ts'
import { answerOf, feedRoot } from './feed-answer.ts'

type Options = {
  files: Pick<KeptFiles, 'findKept'>
  deps: Pick<HttpDeps, 'log' | 'metrics' | 'stopping'>
}

/** For requests that the framework answers after all: what was found, and when the request came. */
export const foundAhead = new WeakMap<IncomingMessage, { found: Promise<KeptFile | undefined>; at: number }>()

/**
 * Answers with feed files that are in memory, ahead of the framework, which would be half of the work. The framework gets every other
 * request, and those whose file is gone, unreadable or still to be compressed.
 */
export function answerKept(server: Pick<Server, 'listeners' | 'off' | 'on'>, { files, deps }: Options): void {
  const [framework] = server.listeners('request') as RequestListener[]
  if (framework === undefined) throw new Error('nobody listens for requests')
  server.off('request', framework)
  const answer: RequestListener = (request, response) => {
    const isHttps = isPlain(request) && !deps.stopping.aborted ? isKnownHttps(request) : undefined
    const found =
      isHttps === undefined ? undefined : files.findKept(pathOf({ raw: request }).slice(feedRoot.length))
    if (isHttps === undefined || found === undefined) {
      framework(request, response)
      return
    }
    const at = performance.now()
    const handOver = () => {
      foundAhead.set(request, { found, at })
      framework(request, response)
    }
    const send = (kept: KeptFile | undefined) => {
      const written = kept === undefined ? undefined : writtenAnswer(kept, request)
      if (written === undefined) {
        handOver()
        return
      }
      const { status, headers, body } = written
      const id = newRequestId()
      response.writeHead(status, { ...commonHeaders(id, isHttps), ...headers })
      response.on('finish', () => {
        const elapsedMs = performance.now() - at
        recordAnswer(deps, { raw: request, id, route: `${feedRoot}*`, status, elapsedMs })
      })
      response.end(body)
    }
    found.then(send).catch(handOver)
  }
  server.on('request', inTurn(answer))
}

/** The framework would accept it. */
function isPlain(request: IncomingMessage): boolean {
  if (request.method !== 'GET' || request.url?.startsWith(feedRoot) !== true) return false
  return hostProblem(request) === undefined && unknownCoding(request) === undefined
}

type Written = { status: number; headers: Record<string, string>; body?: Buffer }

/** Undefined: it is still to be compressed, or not in the state that the client asks for. */
function writtenAnswer(kept: KeptFile, request: IncomingMessage): Written | undefined {
  const answer = answerOf(kept.file, request)
  if (answer === undefined) return undefined
  const { status, headers, coding } = answer
  if (status === 304) return { status, headers }
  const body = coding === null ? kept.file.bytes : kept.packed.get(coding)
  if (body === undefined) return undefined
  const packing = coding === null ? {} : { 'content-encoding': coding }
  return { status, headers: { ...headers, ...packing, 'content-length': String(body.length) }, body }
}
