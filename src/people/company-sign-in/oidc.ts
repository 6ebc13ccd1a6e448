import * as oauth from 'oauth4webapi'
import type { Logger } from 'pino'
import { ServiceError } from '../../contract/errors.ts'
import { readEmailAddress } from '../../contract/people/email-address.ts'
import { lineProblem } from '../../platform/input-reader.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'

/** The issuer of a company as its owners have set it. */
export type Issuer = { issuer: string; clientId: string; clientSecret: string | null }

/** What only this browser's sign-in has; OpenID Connect Core §3.1.2.1, RFC 7636. */
export type Secrets = { state: string; nonce: string; verifier: string }

/** The client for requests to the issuer. Only the operator's log gets the reason for a failure. */
type Asking = { outbound: Outbound; log: Pick<Logger, 'warn'> }

type Going = { issuer: Issuer; secrets: Secrets; redirectUri: string; confirms: boolean; now: Date }

/** How long ago the issuer may have asked for a password when it confirms an identity. */
const freshSeconds = 600
const toleranceSeconds = 60
const subjectLength = { min: 1, max: 255 }

/** Where the browser is sent. Codes: `conflict` (the issuer does not answer as it should). */
export async function authorizationUrl(asking: Asking, going: Going): Promise<string> {
  const { issuer, secrets, redirectUri, confirms } = going
  const server = await discover(asking, issuer)
  const page = server.authorization_endpoint ?? ''
  await asking.outbound
    .check({ url: page, purpose: 'single_sign_on', ownOrigin: new URL(issuer.issuer).origin })
    .catch((cause: unknown) => {
      throw failed(asking, issuer, cause)
    })
  const url = new URL(page)
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
 * The identity that the issuer states: exchanges the code for an ID token and checks its signature, issuer, audience, nonce and times. Codes:
 * `conflict`.
 */
export async function claimsOf(
  asking: Asking,
  { parameters, ...going }: Going & { parameters: URLSearchParams },
): Promise<Claims> {
  const { issuer, secrets, redirectUri, confirms, now } = going
  const server = await discover(asking, issuer)
  const client: oauth.Client = {
    client_id: issuer.clientId,
    // oxlint-disable-next-line house/ambient -- the library reads the computer's clock itself: this is what ours differs by
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
      through(asking, issuer),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: secrets.nonce,
      requireIdToken: true,
      ...(confirms ? { maxAge: freshSeconds } : {}),
    })
    await oauth.validateApplicationLevelSignature(server, response, through(asking, issuer))
    return readClaims(oauth.getValidatedIdTokenClaims(tokens))
  } catch (cause) {
    throw failed(asking, issuer, cause)
  }
}

function readClaims(claims: oauth.IDToken | undefined): Claims {
  // OpenID Connect Core §2: at most 255 characters; an empty one would be the same account for everybody
  if (
    claims === undefined ||
    claims.sub.trim() === '' ||
    lineProblem(claims.sub, subjectLength) !== undefined
  )
    throw new Error(
      'the subject of the ID token is empty, longer than 255 characters, or more than one line of text',
    )
  const { email, email_verified: verified } = claims
  return {
    subject: claims.sub,
    email: typeof email === 'string' ? readEmailAddress(email) : null,
    // many issuers leave it out; whoever says something else than yes does not vouch for the address
    isUnchecked: verified !== undefined && verified !== true && verified !== 'true',
    authenticatedAt: authenticatedAt(claims),
  }
}

function authenticatedAt({ auth_time: at }: oauth.IDToken): Date | null {
  if (!Number.isSafeInteger(at)) return null
  const time = new Date(Number(at) * 1000)
  return Number.isNaN(time.getTime()) ? null : time
}

function authenticationFor(server: oauth.AuthorizationServer, { clientSecret }: Issuer): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None()
  const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return ways.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret)
}

async function discover(asking: Asking, issuer: Issuer): Promise<oauth.AuthorizationServer> {
  try {
    const url = new URL(issuer.issuer)
    const response = await oauth.discoveryRequest(url, through(asking, issuer))
    return await oauth.processDiscoveryResponse(url, response)
  } catch (cause) {
    throw failed(asking, issuer, cause)
  }
}

/**
 * Every request goes through the guarded client, which alone decides about plain http and private addresses: the issuer's own origin may
 * have them where the operator allows it for issuers, and no other address that its documents name. It follows no redirect.
 */
function through(
  { outbound }: Asking,
  { issuer }: Issuer,
): oauth.HttpRequestOptions<'GET' | 'POST', undefined | URLSearchParams> {
  return {
    // oxlint-disable-next-line typescript/no-deprecated -- marked so that nobody overlooks it; the guard decides instead
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url, { method, headers, body }) => {
      const answer = await outbound.ask({
        url,
        purpose: 'single_sign_on',
        ownOrigin: new URL(issuer).origin,
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

/**
 * One sentence for every failure: an owner chooses the address, and must not learn from the answer which hosts and ports of the network
 * are open. Only the operator can read the reason.
 */
function failed({ log }: Asking, { issuer }: Issuer, cause: unknown): ServiceError {
  log.warn({ issuer, ...reasonOf(cause) }, 'the issuer of a company could not be used')
  return new ServiceError('conflict', {
    message:
      'The sign-in service of your company could not be reached, or its answer was not accepted. Whoever operates this service finds the ' +
      'reason in its log.',
  })
}

/** The words of the guard or the library, which quote nothing of the answer. */
function reasonOf(cause: unknown): { reason: string; code?: string } {
  if (!(cause instanceof Error)) return { reason: 'unknown' }
  const inner = cause instanceof OutboundError ? cause.cause : undefined
  const code = inner instanceof Error && 'code' in inner ? { code: String(inner.code) } : {}
  return { reason: cause.message.slice(0, 200), ...code }
}
