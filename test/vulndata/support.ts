import pino from 'pino'
import type { Db } from '../../src/database/connection.ts'
import type { ImportDeps } from '../../src/vulndata/import.ts'
import type { RefreshDeps } from '../../src/vulndata/refresh.ts'

const noFeeds = { osv: null, kev: null, eukev: null, euvd: null, euvdMapping: null }

/** What imports and refreshes need, with the named feeds switched on; loopback counts as an internal host. */
export function importDeps(
  db: Db,
  feeds: Partial<RefreshDeps['config']['feeds']> = {},
): ImportDeps & RefreshDeps {
  return {
    db,
    log: pino({ level: 'silent' }),
    config: {
      feeds: { ...noFeeds, ...feeds },
      lab: { clockOffsetFile: null, dnsServer: null, dialMap: null },
      outboundAllowedHosts: ['127.0.0.1'],
    },
  }
}
