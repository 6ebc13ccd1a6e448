import type { Config } from '../config/config.ts'
import { parseDialMap } from './dial-map.ts'
import { createOutbound, type Outbound } from './outbound.ts'

/** The outbound client as the configuration describes it. */
export function outboundOf(config: Pick<Config, 'lab' | 'outboundAllowedHosts'>): Outbound {
  const { dnsServer, dialMap } = config.lab
  return createOutbound({
    dnsServer,
    dialMap: dialMap === null ? null : parseDialMap(dialMap),
    allowedOrigins: config.outboundAllowedHosts.origins,
  })
}
