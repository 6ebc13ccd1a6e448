import * as oauth from 'oauth4webapi'
import { ServiceError } from '../../contract/errors.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'

/** The issuer of a company as its owners have set it. */
export type Issuer = { issuer: string; clientId: string; clientSecret: string | null }

/** What only this browser's sign-in has; OpenID Connect Core §3.1.2.1, RFC 7636. */
export type Secrets = { state: string; nonce: string; verifier: string }

type Going = { issuer: Issuer; secrets: Secrets; redirectUri: string; confirms: boolean; now: Date }

/** So long ago the issuer may have asked for a password when it confirms who somebody is. */
const freshSeconds = 600
const toleranceSeconds = 60

/** Where the browser is sent. Codes: `conflict` (the issuer does not answer as it should). */
export async function authorizationUrl(outbound: Outbound, going: Going): Promise<string> {
  const { issuer, secrets, redirectUri, confirms } = going
  const server = await discover(outbound, issuer)
  const url = URL.parse(server.authorization_endpoint ?? '')
  // Nothing but a page: the browser goes there with what it was told.
  const isPage =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.issuer.startsWith('http:'))
  if (url === null || !isPage) throw failed()
  const parameters = {
    client_id: issuer.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    state: secrets.state,
    nonce: secrets.nonce,
    ...(confirms ? { prompt: 'login', max_age: String(freshSeconds) } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

export type Claims = {
  subject: string
  email: string | null
  /** The issuer says that it has not checked the address. */
  isUnchecked: boolean
  /** When it asked for a password, or the like; null: it does not say. */
  authenticatedAt: Date | null
}

/**
 * Who the issuer says it is: the code against an ID token whose signature, issuer, audience, nonce and times are right. Codes:
 * `conflict`.
 */
export async function claimsOf(
  outbound: Outbound,
  { parameters, ...going }: Going & { parameters: URLSearchParams },
): Promise<Claims> {
  const { issuer, secrets, redirectUri, confirms, now } = going
  const server = await discover(outbound, issuer)
  const client: oauth.Client = {
    client_id: issuer.clientId,
    // eslint-disable-next-line no-restricted-syntax -- the library reads the computer's clock itself: this is what ours differs by
    [oauth.clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
    [oauth.clockTolerance]: toleranceSeconds,
  }
  try {
    const callback = oauth.validateAuthResponse(server, client, parameters, secrets.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticationFor(server, issuer),
      callback,
      redirectUri,
      secrets.verifier,
      through(outbound),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: secrets.nonce,
      requireIdToken: true,
      ...(confirms ? { maxAge: freshSeconds } : {}),
    })
    await oauth.validateApplicationLevelSignature(server, response, through(outbound))
    return readClaims(oauth.getValidatedIdTokenClaims(tokens))
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : failed(cause)
  }
}

function readClaims(claims: oauth.IDToken | undefined): Claims {
  if (claims === undefined || claims.sub.length > 255) throw failed()
  const { email, email_verified: verified, auth_time: at } = claims
  return {
    subject: claims.sub,
    email: typeof email === 'string' && email.length <= 254 ? email.trim() : null,
    isUnchecked: verified === false || verified === 'false',
    authenticatedAt: typeof at === 'number' && Number.isSafeInteger(at) ? new Date(at * 1000) : null,
  }
}

function authenticationFor(server: oauth.AuthorizationServer, { clientSecret }: Issuer): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None()
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return ways.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret)
}

async function discover(outbound: Outbound, { issuer }: Issuer): Promise<oauth.AuthorizationServer> {
  try {
    const url = new URL(issuer)
    const response = await oauth.discoveryRequest(url, through(outbound))
    return await oauth.processDiscoveryResponse(url, response)
  } catch (cause) {
    throw failed(cause)
  }
}

/**
 * Every request goes through the guarded client, which alone decides about plain http: hosts that the operator names may have it. It
 * follows no redirect.
 */
function through(outbound: Outbound): oauth.HttpRequestOptions<'GET' | 'POST', undefined | URLSearchParams> {
  return {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that nobody overlooks it; the guard decides instead
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url, { method, headers, body }) => {
      const answer = await outbound.ask({
        url,
        purpose: 'single_sign_on',
        method,
        headers,
        ...(body === undefined ? {} : { body: Buffer.from(body.toString()) }),
      })
      const isBodiless = answer.status < 200 || [204, 205, 304].includes(answer.status)
      return new Response(isBodiless ? null : Uint8Array.from(answer.body), {
        status: Math.max(200, answer.status),
        headers: [...answer.headers],
      })
    },
  }
}

function failed(cause?: unknown): ServiceError {
  const detail = cause instanceof OutboundError ? cause.message : detailOf(cause)
  return new ServiceError('conflict', {
    message: 'The sign-in service of your company gave an unexpected answer.',
    ...(detail === undefined ? {} : { detail }),
  })
}

/** The library's own words, which quote nothing of the answer. */
function detailOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message.slice(0, 200) : undefined
}
