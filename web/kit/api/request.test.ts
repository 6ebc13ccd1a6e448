import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Method } from '#contract/operation.ts'
import { forgetLostActs } from './act-keys.ts'
import { errorWords } from './error-words.ts'
import { ApiFailure, request } from './request.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function answerWith(response: Response | Error): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(() =>
    response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
  )
  vi.stubGlobal('fetch', fetched)
  return fetched
}

async function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiFailure)) throw new Error('expected a failure of the interface')
  return error
}

describe('request', () => {
  it('sends JSON with the session cookie and reads the answer', async () => {
    const fetched = answerWith(Response.json({ id: 'f-1' }))
    expect(await request('/api/app/x', { method: 'POST', body: { name: 'Pump' } })).toEqual({ id: 'f-1' })
    expect(fetched).toHaveBeenCalledWith(
      '/api/app/x',
      expect.objectContaining({ method: 'POST', credentials: 'same-origin', body: '{"name":"Pump"}' }),
    )
  })

  it('has no value for an answer without content', async () => {
    answerWith(new Response(null, { status: 204 }))
    expect(await request('/api/app/x', { method: 'DELETE' })).toBeUndefined()
  })

  it('keeps the code, fields and wait of a refusal', async () => {
    const body = {
      error: 'invalid_request',
      message: 'Some fields.',
      fields: { name: 'A name is required.', n: 1 },
    }
    answerWith(Response.json(body, { status: 400, headers: { 'retry-after': '7' } }))
    const failure = await failureOf(request('/api/app/x'))
    expect(failure).toMatchObject({ code: 'invalid_request', status: 400, retryAfterSeconds: 7 })
    expect(failure.fields).toEqual({ name: 'A name is required.' })
  })

  it.each([
    ['a page of a proxy', new Response('<html>', { status: 502 }), 'unreadable'],
    ['an error without a known code', Response.json({ error: 'toString' }, { status: 500 }), 'unreadable'],
    ['a body that is no object', Response.json([], { status: 500 }), 'unreadable'],
    ['no answer', new TypeError('fetch failed'), 'unreachable'],
  ])('%s → %s', async (_name, response, code) => {
    answerWith(response)
    expect((await failureOf(request('/api/app/x'))).code).toBe(code)
  })

  it.each<[string, Method, boolean, () => Response | Error, boolean]>([
    ['an act without an answer', 'POST', true, () => new TypeError('fetch failed'), true],
    ['an act without a connection', 'POST', false, () => new TypeError('fetch failed'), false],
    ['a reading without an answer', 'GET', true, () => new TypeError('fetch failed'), false],
    ['an act that a proxy gave up', 'PATCH', true, () => new Response('<html>', { status: 504 }), true],
    ['an act that a proxy refused', 'PATCH', true, () => new Response('<html>', { status: 403 }), false],
    ['a refused act', 'POST', true, () => Response.json({ error: 'conflict' }, { status: 409 }), false],
  ])('%s: whether it may have been done', async (_name, method, onLine, answer, mayBeDone) => {
    answerWith(answer())
    vi.stubGlobal('navigator', { onLine })
    const failure = await failureOf(request('/api/app/x', { method }))
    expect(failure.mayBeDone).toBe(mayBeDone)
    expect(errorWords(failure).next.includes('may have been done')).toBe(mayBeDone)
  })
})

describe('an act in a workspace', () => {
  const act = { method: 'POST', body: { text: 'Seen?' } } as const
  const path = '/api/app/workspaces/acme/comments'
  /** The key that it is sent with. */
  async function keyOf(
    answer: Response | Error = new Response(null, { status: 204 }),
    ...[at = path, call = act]: Partial<Parameters<typeof request>>
  ): Promise<string | undefined> {
    const fetched = answerWith(answer)
    await request(at, call).catch(() => undefined)
    const [, init] = fetched.mock.calls[0] as [string, { headers: Record<string, string> }]
    return init.headers['idempotency-key']
  }
  const lost = () => new TypeError('fetch failed')
  beforeEach(() => {
    vi.stubGlobal('navigator', { onLine: true })
  })
  afterEach(forgetLostActs)

  it('has a key of its own each time', async () => {
    const key = await keyOf()
    expect(key).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await keyOf()).not.toBe(key)
  })

  it('has its key again after its answer was lost, until it is answered', async () => {
    const key = await keyOf(lost())
    expect(await keyOf(new Response('<html>', { status: 504 }))).toBe(key)
    expect(await keyOf(lost(), path, { ...act, body: { text: 'Seen.' } })).not.toBe(key)
    expect(await keyOf(Response.json({ error: 'rate_limited' }, { status: 429 }))).toBe(key)
    expect(await keyOf()).toBe(key)
    expect(await keyOf()).not.toBe(key)
  })

  it('has its key again after the service failed in the middle of it', async () => {
    const key = await keyOf(Response.json({ error: 'internal' }, { status: 500 }))
    expect(await keyOf()).toBe(key)
  })

  it('has another one once much else was lost, which a page would have to remember', async () => {
    const large = (text: string) =>
      [lost(), path, { ...act, body: { text: text.repeat(3_000_000) } }] as const
    const key = await keyOf(...large('a'))
    const later = await keyOf(...large('b'))
    expect(await keyOf(...large('b'))).toBe(later)
    expect(await keyOf(...large('a'))).not.toBe(key)
  })

  it('has another one once the person has done something else', async () => {
    const key = await keyOf(lost())
    forgetLostActs()
    expect(await keyOf()).not.toBe(key)
  })

  it('has none elsewhere, nor does what can be repeated as it is', async () => {
    expect(await keyOf(lost(), '/api/app/session')).toBeUndefined()
    expect(await keyOf(lost(), path, { method: 'PATCH', body: {} })).toBeUndefined()
  })

  it('can be tried again where its answer was lost', async () => {
    answerWith(lost())
    const { next } = errorWords(await failureOf(request(path, act)))
    expect(next).toBe(
      'The answer was lost: it may have been done all the same. Try again as it is: it will not be done twice.',
    )
  })
})
