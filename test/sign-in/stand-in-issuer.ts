import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { portOf } from '../support/port-of.ts'

type Claims = Record<string, unknown>

/** How an answer of the issuer deviates from the correct one. */
export type Twist = {
  claims?: Claims
  /** In the ID token's header. */
  algorithm?: 'none' | 'HS256' | 'other_key'
  /** Replaces correct answers, by path. */
  instead?: Record<string, (answer: ServerResponse) => void>
  discovery?: Claims
  /** Happens while the service waits for the token. */
  meanwhile?: () => Promise<unknown>
}

/** An OpenID Connect issuer on loopback; the test chooses its host name. */
export async function startIssuer(host: string) {
  let { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let kid = 'one'
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const codes = new Map<string, URLSearchParams>()
  const asked: string[] = []
  let twist: Twist = {}
  let issuer = ''
  let now = new Date()
  const server = createServer((request, answer) => {
    void respond(request, answer)
  })

  async function respond(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? ''
    asked.push(path)
    const instead = twist.instead?.[path]
    if (instead !== undefined) {
      instead(answer)
      return
    }
    if (path === '/token') await twist.meanwhile?.()
    const body = path === '/token' ? tokenFor(await text(request)) : documents()[path]
    answer.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    answer.end(JSON.stringify(body ?? {}))
  }

  const documents = (): Record<string, unknown> => ({
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...twist.discovery,
    },
    '/keys': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
  })

  function tokenFor(form: string): unknown {
    const given = new URLSearchParams(form)
    const going = codes.get(given.get('code') ?? '')
    const digest = createHash('sha256')
      .update(given.get('code_verifier') ?? '')
      .digest('base64url')
    const isOfSignIn =
      digest === going?.get('code_challenge') && given.get('redirect_uri') === going.get('redirect_uri')
    if (!isOfSignIn) return { error: 'invalid_grant' }
    codes.delete(given.get('code') ?? '')
    const seconds = Math.floor(now.getTime() / 1000)
    const claims = {
      iss: issuer,
      aud: 'monitor',
      sub: 'olga-1',
      iat: seconds,
      exp: seconds + 300,
      auth_time: seconds,
      nonce: going.get('nonce'),
      email: 'owner@acme.example',
      email_verified: true,
      ...twist.claims,
    }
    return { access_token: 'x', token_type: 'Bearer', id_token: tokenOf(claims) }
  }

  function tokenOf(claims: Claims): string {
    const { algorithm } = twist
    const alg = algorithm === 'none' || algorithm === 'HS256' ? algorithm : 'RS256'
    const signed = [{ alg, kid, typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    if (algorithm === 'none') return `${signed}.`
    const key = algorithm === 'other_key' ? other : privateKey
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://${host}:${portOf(server)}`
  return {
    issuer,
    asked,
    set: (next: Twist, at: Date) => {
      twist = next
      now = at
      asked.length = 0
    },
    /** Signs with another key from now on, and publishes only that one. */
    rotate: (name: string) => {
      ;({ privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 }))
      kid = name
    },
    /** What a person does there: returns the address the browser is sent back to. */
    visit: (url: string): string => {
      const { origin, pathname, searchParams } = new URL(url)
      expect(`${origin}${pathname}`).toBe(`${issuer}/authorize`)
      expect(searchParams.get('code_challenge_method')).toBe('S256')
      const code = randomUUID()
      codes.set(code, searchParams)
      const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
      return `${searchParams.get('redirect_uri') ?? ''}?${query.toString()}`
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
