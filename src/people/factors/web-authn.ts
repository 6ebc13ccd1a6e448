/** It brings 300 modules for certificate formats: loaded on the first use of a passkey, which most processes never see. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
