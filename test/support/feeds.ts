import { configuredSources } from '../../src/vulndata/sources/all.ts'

/** The environment that switches off every source of vulnerability data. */
export const feedsOff: Readonly<Record<string, string>> = Object.fromEntries(
  configuredSources.map(({ variable }) => [variable, 'off']),
)
