/** It brings 300 modules for forms of certificates: loaded when somebody first uses a passkey, which most processes never see. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
