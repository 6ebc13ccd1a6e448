import { configuredSources } from '../../src/vulndata/sources/all.ts'

/** The environment in which no source of vulnerability data is asked. */
export const feedsOff: Readonly<Record<string, string>> = Object.fromEntries(
  configuredSources.map(({ variable }) => [variable, 'off']),
)
