import fastifyCookie from '@fastify/cookie'
import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KeptFiles } from '../advisories/feed/kept-files.ts'
import { ServiceError } from '../contract/errors.ts'
import { cleanText } from '../formats/json/clean.ts'
import { isApiPath } from './answer-error.ts'
import { statusOfCutOff } from './broken-requests.ts'
import { callerOf } from './caller.ts'
import type { HttpDeps } from './deps.ts'
import { createApp, type AppOptions } from './exchange/create-app.ts'
import { commonHeaders, hostProblem, recordAnswer, unknownCoding } from './exchange/every-answer.ts'
import { holdPublicPlace, isForPublicPage } from './exchange/public-share.ts'
import { leaveOutLengthOf304 } from './exchange/head-answers.ts'
import { isText } from './json-body.ts'
import { KnownAddresses } from './known-addresses.ts'
import { registerBadges } from './disclose/register-badges.ts'
import { registerDisclosure } from './disclose/register-disclosure.ts'
import { openapiOptions } from '../docs-site/openapi.ts'
import { answerKept, foundAhead } from './feed/answer-kept.ts'
import { registerFeed } from './feed/register-feed.ts'
import { registerAdvisoryPages } from './disclose/register-advisories.ts'
import { nothingAt } from './exchange/nothing-at.ts'
import { judged, type JudgeAnswer, type Operation } from './operation.ts'
import { pathOf } from './request-log.ts'
import { isHttps } from './exchange/scheme.ts'
import { isOperatorPath } from '../operator/operator-settings.ts'
import { registerOperatorPages } from './operator/register-operator.ts'
import { answerErrorOrPage } from './disclose/missing-page.ts'
import { operations } from './routes.ts'
import { registerWebApp } from './web-app.ts'

export type ServerOptions = AppOptions & {
  deps: HttpDeps
  /** Folder of the built web application. */
  webDir: string
  /** Called with every answer before it is sent; tests judge it by the operation's schema and throw. */
  judgeAnswer?: JudgeAnswer
}

/** Addresses whose handlers check everything themselves, in the published order of checks. */
const publicInterface = '/api/v1/'

/**
 * The HTTP server with every operation of routes.ts, the public pages and the web application; it does not listen yet. Handlers
 * read the bodies themselves, when the order of checks gets there.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { deps, webDir, judgeAnswer } = options
  const app = createApp(options)
  const feedFiles = new KeptFiles(deps.db, deps.baseUrl)
  answerKept(app.server, { files: feedFiles, deps })
  const addresses = new KnownAddresses()
  // the pages for operators do not reveal whether they exist, not even by their methods
  app.addHook('onRoute', ({ url, method }) => {
    if (!isOperatorPath(url)) addresses.add(url, method)
  })
  app.addHook('onRoute', leaveOutLengthOf304)
  addRequestHooks(app, deps)
  const answerRefused = answerErrorOrPage(deps)
  app.setErrorHandler(answerRefused)
  app.setNotFoundHandler((request, reply) => {
    const refusal = refusalOfUnknown(addresses, request, reply)
    return refusal === null ? reply.status(204).send() : answerRefused(refusal, request, reply)
  })
  app.register(fastifySwagger, openapiOptions(deps))
  // What everybody may read knows no cookies.
  app.register((scope, _options, done) => {
    registerFeed(scope, feedFiles)
    registerBadges(scope, deps)
    done()
  })
  app.register((scope, _options, done) => {
    scope.register(fastifyCookie)
    registerOperations(scope, deps, judgeAnswer)
    done()
  })
  app.register((scope) => registerWebApp(scope, webDir))
  return app
}

function registerOperations(app: FastifyInstance, deps: HttpDeps, judgeAnswer?: JudgeAnswer): void {
  app.register((scope, _options, done) => {
    for (const operation of operations) addOperation(scope, deps, judged(operation, judgeAnswer))
    registerDisclosure(scope, deps)
    registerAdvisoryPages(scope, deps)
    registerOperatorPages(scope, deps)
    done()
  })
}

function addOperation(scope: FastifyInstance, deps: HttpDeps, operation: Operation): void {
  const { method, url, body, handler, schema } = operation
  scope.route({
    method,
    url,
    schema: schema ?? { hide: true },
    handler: (request, reply) => handler(deps, request, reply),
    // Elsewhere the order of checks is the contract's and the handler judges: the schema is documentation.
    ...(body === 'json' ? {} : { validatorCompiler: () => () => true }),
  })
}

/** For an unknown address, or a known one with another method; null: the request only asked what is supported. */
function refusalOfUnknown(
  addresses: KnownAddresses,
  request: FastifyRequest,
  reply: FastifyReply,
): ServiceError | null {
  const known = addresses.methodsOf(pathOf(request))
  // The handler of a known address may itself find nothing: a file of the application.
  const methods = known.includes(request.method) ? [] : known
  if (methods.length === 0) return nothingAt(request, reply, addresses)
  reply.header('allow', [...new Set([...methods, 'OPTIONS'])].join(', '))
  if (request.method === 'OPTIONS') return null
  const expected = methods.filter((method) => method !== 'HEAD').join(' or ')
  return new ServiceError('method_not_allowed', { detail: `expected ${expected}, found ${request.method}` })
}

function addRequestHooks(app: FastifyInstance, deps: HttpDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) record(deps, request, reply, statusOfCutOff(request.raw))
    })
    // A malformed type would be answered by the framework before any check of ours.
    request.headers['content-type'] = 'application/octet-stream'
    reply.headers(commonHeaders(request.id, isHttps(request)))
    if (isApiPath(pathOf(request))) reply.header('cache-control', 'no-store')
    done(refusedRequest(request))
  })
  const places = new WeakMap<FastifyRequest, () => void>()
  app.addHook('onRequest', async (request, reply) => {
    if (isForPublicPage(request)) places.set(request, await holdPublicPlace({ deps, request }, reply))
  })
  // a slow reader keeps no place
  app.addHook('onSend', (request, _reply, _payload, done) => {
    places.get(request)?.()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.raw.writableFinished) record(deps, request, reply, reply.statusCode)
    done()
  })
}

function record(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply, status: number): void {
  const { raw } = request
  const askedAhead = foundAhead.get(raw)?.at
  recordAnswer(deps, {
    raw,
    id: request.id,
    route: request.routeOptions.url ?? 'unknown',
    status,
    elapsedMs: askedAhead === undefined ? reply.elapsedTime : performance.now() - askedAhead,
    caller: callerOf(request),
  })
}

/**
 * Refused are a Host header that names no host, several of them, HTTP/1.1 without one, and a body in transfer codings that are not decoded here. A parameter that is not text names nothing and never reaches
 * the database; handlers of the public interface accept only ids, and say so in their order of checks.
 */
function refusedRequest(request: FastifyRequest): ServiceError | undefined {
  const problem = hostProblem(request.raw)
  if (problem !== undefined) return unreadable(`The request is not valid HTTP: ${problem}.`)
  const coding = unknownCoding(request.raw)
  if (coding !== undefined)
    return unreadable(
      `The transfer coding of the request is not read: expected "chunked", found "${cleanText(coding, 80)}".`,
    )
  if (request.routeOptions.url?.startsWith(publicInterface) === true) return undefined
  const params = Object.values((request.params ?? {}) as Record<string, unknown>)
  return params.some((value) => !isText(String(value))) ? new ServiceError('not_found') : undefined
}

/** What is wrong is the request as such, none of the fields of its body. */
function unreadable(message: string): ServiceError {
  return new ServiceError('invalid_request', { message, fields: {} })
}
