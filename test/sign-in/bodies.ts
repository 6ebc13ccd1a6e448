const settings = '/api/app/workspaces/:slug/sign-in'
const domain = { domain: 'acme.example' }

/** A body for each operation on sign-in settings. */
export const signInBodies = {
  [`PATCH ${settings}`]: { requiresSecondFactor: true },
  [`POST ${settings}/issuer`]: { issuer: 'https://a.example', clientId: 'a', clientSecret: null },
  [`POST ${settings}/domains`]: domain,
  [`POST ${settings}/domains/verification`]: domain,
  [`DELETE ${settings}/domains`]: domain,
}
