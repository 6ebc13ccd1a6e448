import fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { TrustedProxies } from '../../platform/config/config.ts'
import { originForm } from '../../platform/origin-form.ts'
import { newRequestId } from '../../platform/random.ts'
import { answerError } from '../answer-error.ts'
import {
  answerClientError,
  answerConnect,
  answerHalfClosed,
  endStalledAnswers,
  stalledAnswerMs,
  watchExchanges,
} from '../broken-requests.ts'
import type { HttpDeps } from '../deps.ts'
import { askForBodies } from './ask-for-bodies.ts'
import { readInTurn } from './read-in-turn.ts'
import { routableUrl } from './routable-url.ts'

export type AppOptions = {
  deps: Pick<HttpDeps, 'log'>
  trustProxy: TrustedProxies
  /** PEM; null: plain http. */
  tls: { cert: Buffer; key: Buffer } | null
  /** How long a client may take nothing of its answer; default: `stalledAnswerMs`. */
  stalledMs?: number
  /** How long a request may take; default: `requestTimeoutMs`. */
  requestMs?: number
}

/** With a check every two seconds, a dripping request ends after 60 s at the latest. */
export const requestTimeoutMs = 58_000
const nodeOptions = { headersTimeout: 15_000, connectionsCheckingInterval: 2_000, requireHostHeader: false }
/** As long as Node allows an address to be: the handler says, in its order of checks, when one names nothing. */
const maxParamLength = 16_384

/** A server without operations, with its own rules for connections and broken requests. */
export function createApp({
  deps,
  trustProxy,
  tls,
  stalledMs = stalledAnswerMs,
  requestMs = requestTimeoutMs,
}: AppOptions): FastifyInstance {
  const options: FastifyServerOptions = {
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    // log lines name the request's id themselves: most requests need no logger of their own
    childLoggerFactory: (log) => log,
    requestTimeout: requestMs,
    keepAliveTimeout: 65_000,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    routerOptions: { maxParamLength },
    rewriteUrl: ({ url = '/' }) => routableUrl(originForm(url)),
    // Our schemas are valid: checking them against the meta-schema takes three quarters of the first answer of each operation.
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false, validateSchema: false },
    },
    // Schemas describe answers to readers of the documentation; they do not rewrite them. Set here, since fastify's own compiler of
    // serializers would be read first: 140 files.
    schemaController: {
      compilersFactory: { buildSerializer: () => () => (value: unknown) => JSON.stringify(value) },
    },
    frameworkErrors: answerError,
    clientErrorHandler: answerClientError,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }
  const transport = tls === null ? { http: nodeOptions } : { https: { ...nodeOptions, ...tls } }
  const app = fastify({ ...options, ...transport })
  watchExchanges(app.server)
  endStalledAnswers(app.server, stalledMs)
  answerHalfClosed(app.server)
  readInTurn(app.server)
  answerConnect(app.server, stalledMs)
  askForBodies(app.server)
  // Node would answer an unknown expectation by itself, in its own shape.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  return app
}
