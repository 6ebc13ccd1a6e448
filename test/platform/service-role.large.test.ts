import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/schema/migrate.ts'
import { openStore, type Store } from '../../src/platform/postgres/store.ts'
import { checkoutDir } from '../support/test-server.ts'
import { configOf, createStoreLab, type StoreLab } from './store-lab.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const migrations = join(checkoutDir, 'database', 'migrations')

describe('the role of the service on the embedded store', () => {
  let lab: StoreLab
  let store: Store
  beforeEach(async () => {
    lab = await createStoreLab()
    store = await open()
  })
  afterEach(async () => {
    await store.close()
    await lab.remove()
  })

  const open = () => openStore(configOf(lab, { dataDir: lab.dataDir() }), silent)
  const admin = (statement: string) => execute(store.adminConnection ?? {}, statement)
  const service = (statement: string) => execute(store.connection, statement)

  it('owns its database and may do nothing else on the server', async () => {
    await migrate(store.connection, migrations)
    const rights = `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user`
    expect(Object.values((await service(rights))[0] ?? {})).toEqual([false, false, false, false, false])
    await expect(service(`COPY job TO PROGRAM 'cat'`)).rejects.toMatchObject({ code: '42501' })
    await expect(service(`SELECT pg_read_file('PG_VERSION')`)).rejects.toMatchObject({ code: '42501' })
    await expect(service('CREATE ROLE intruder SUPERUSER')).rejects.toMatchObject({ code: '42501' })
  })

  it('takes over the data folder of an earlier release, in which the superuser owned everything', async () => {
    await admin('ALTER DATABASE store OWNER TO svc; DROP ROLE sbom_monitor')
    await migrate(store.adminConnection ?? {}, migrations)
    await admin(`INSERT INTO setup_link (secret_hash, created_at) VALUES ('\\x01', '2026-01-01')`)
    await store.close()

    store = await open()
    expect(await service('SELECT current_user AS who, count(*)::int AS links FROM setup_link')).toEqual([
      { who: 'sbom_monitor', links: 1 },
    ])
    const foreign = `
      SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND pg_get_userbyid(relowner) <> current_user
      UNION ALL
      SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND pg_get_userbyid(proowner) <> current_user`
    expect(await service(foreign)).toEqual([])
    // as a later migration would
    await service('ALTER TABLE audit_event ADD COLUMN later text; CREATE TABLE newer (id int)')
    expect(await migrate(store.connection, migrations)).toMatchObject({ applied: [] })
  })

  it('is made once by processes that open an earlier folder together', async () => {
    await admin('ALTER DATABASE store OWNER TO svc; DROP ROLE sbom_monitor; CREATE TABLE kept (id int)')
    await store.close()
    const stores = await Promise.all([open(), open(), open()])
    store = stores[0]
    expect(await service('SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 0 }])
    await Promise.all([stores[1].close(), stores[2].close()])
  })

  it('leaves what was replaced by hand to the service as well', async () => {
    const elsewhere = { ...store.adminConnection, database: 'postgres' }
    await execute(elsewhere, 'DROP DATABASE store')
    await execute(elsewhere, 'CREATE DATABASE store')
    await store.close()
    store = await open()
    await service('CREATE TABLE restored (id int)')
  })
})

async function execute(connection: pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const session = new pg.Client(connection)
  await session.connect()
  try {
    return (await session.query<Record<string, unknown>>(statement)).rows
  } finally {
    await session.end()
  }
}
