import pg from 'pg'
import { BoundedClient } from './silence/bounded-client.ts'

type Startup = Record<string, string>

const driver = pg.Client.prototype as unknown as { getStartupConf: () => Startup }

/**
 * A client whose times are in UTC from its first statement on. The zone is the one setting that travels with the opening of a session: poolers know
 * it and give each client its own (PgBouncer, `track_extra_parameters`), while they refuse the limits of pool.ts there.
 */
export class StoreClient extends BoundedClient {
  /** Called by the driver. */
  getStartupConf(): Startup {
    return { ...driver.getStartupConf.call(this), TimeZone: 'UTC' }
  }
}
