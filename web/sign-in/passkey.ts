import type { PasskeyOptions } from '#contract/people/sign-in.ts'
import { BrowserFailure } from '../kit/api/browser-failure.ts'
import { loadPart } from '../kit/api/page-not-loaded.ts'

/** Browsers support passkeys on hosts with a name, over https or on localhost (W3C Web Authentication, §5.1.3). */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(window.location.hostname)
  return typeof window.PublicKeyCredential === 'function' && !isAddress
}

/** The person cancelled the browser's dialog, or has no passkey for it. */
const notGiven = {
  what: 'The browser did not provide a passkey.',
  next: 'Try again, or use another way to sign in.',
}

/** Creates a passkey. Throws a `BrowserFailure` when none is given. */
export async function makePasskey({ options }: PasskeyOptions) {
  const { startRegistration } = await loadPart(() => import('@simplewebauthn/browser'))
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const { id, rawId, response } = await given(startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  return {
    id,
    rawId,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports },
  }
}

/** Signs the service's challenge with a passkey. Throws a `BrowserFailure` when none is given. */
export async function signWithPasskey({ options }: PasskeyOptions) {
  const { startAuthentication } = await loadPart(() => import('@simplewebauthn/browser'))
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const { id, rawId, response } = await given(startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    id,
    rawId,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: {
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle === undefined ? {} : { userHandle }),
    },
  }
}

async function given<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (cause) {
    throw new BrowserFailure(notGiven, cause)
  }
}
