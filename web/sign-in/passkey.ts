import type { PasskeyOptions } from '#contract/people/sign-in.ts'

/** Browsers know passkeys on hosts with a name, over https or on this machine (W3C Web Authentication, §5.1.3). */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(window.location.hostname)
  return typeof window.PublicKeyCredential === 'function' && !isAddress
}

/** The person turned away from the browser's question, or has no passkey for it. */
export class PasskeyNotGiven extends Error {
  override name = 'PasskeyNotGiven'
}

/** Has the browser make a passkey. Throws `PasskeyNotGiven`. */
export async function makePasskey({ options }: PasskeyOptions) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const { id, rawId, response } = await given(startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  return {
    ...{ id, rawId, type: 'public-key' as const, clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, transports },
  }
}

/** Has a passkey sign what the service asks. Throws `PasskeyNotGiven`. */
export async function signWithPasskey({ options }: PasskeyOptions) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const { id, rawId, response } = await given(startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    ...{ id, rawId, type: 'public-key' as const, clientExtensionResults: {} },
    response: {
      ...{ clientDataJSON, authenticatorData, signature },
      ...(userHandle === undefined ? {} : { userHandle }),
    },
  }
}

async function given<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (cause) {
    throw new PasskeyNotGiven('No passkey was given.', { cause })
  }
}
