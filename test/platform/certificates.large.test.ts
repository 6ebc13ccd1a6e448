import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/platform/postgres/store.ts'
import {
  canReplicate,
  openServerGroup,
  serviceRole,
  type Member,
  type ServerGroup,
} from '../reliability/scenarios/server-group.ts'
import { checkoutDir } from '../support/test-server.ts'

const log = pino({ level: 'silent' })
const day = 86_400_000

/** Of an authority, or of its own; valid from and to so many days from now. */
function certificateOf(name: string, authority: Pair | null, [from, to]: [number, number]) {
  return generate([{ name: 'commonName', value: name }], {
    notBeforeDate: new Date(Date.now() + from * day),
    notAfterDate: new Date(Date.now() + to * day),
    extensions: [
      { name: 'basicConstraints', cA: authority === null },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
    ...(authority !== null && { ca: { key: authority.private, cert: authority.cert } }),
  })
}
type Pair = { private: string; cert: string }

describe.runIf(canReplicate)(
  `a certificate that is refused${canReplicate ? '' : ' (skipped: there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR)'}`,
  () => {
    let group: ServerGroup
    let primary: Member
    let folder: string
    let authority: Pair

    const kept = async (name: string, text: string) => {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    }
    const serve = async (server: Pair, more: Record<string, string> = {}) => {
      const settings = {
        ssl_cert_file: await group.ownFile('server.crt', server.cert),
        ssl_key_file: await group.ownFile('server.key', server.private),
        ssl_ca_file: await group.ownFile('ca.crt', authority.cert),
        ssl_max_protocol_version: '',
        ssl: 'on',
        ...more,
      }
      for (const [name, value] of Object.entries(settings))
        await primary.administer(`alter system set ${name} = '${value}'`)
      await primary.administer('select pg_reload_conf()')
    }
    const saidOf = async (query: string, role = serviceRole) => {
      const root = await kept('root.pem', authority.cert)
      const databaseUrl = `postgresql://${role}@localhost:${primary.port}/${primary.database}?sslmode=verify-full&sslrootcert=${root}${query}`
      const config = { dataDir: null, postgresBinDir: null, postgresUser: null, checkoutDir, fsync: false }
      const opening = openStore({ ...config, databaseUrl }, log)
      return opening.then(
        async (store) => (await store.close(), 'taken'),
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
    }
    const byPair = async ({ cert, private: key }: Pair) =>
      `&sslcert=${await kept('client.pem', cert)}&sslkey=${await kept('client.key', key)}`

    beforeAll(async () => {
      group = await openServerGroup()
      primary = await group.startPrimary()
      folder = await mkdtemp(join(tmpdir(), `sbom-monitor-test-${process.pid}-`))
      await chmod(folder, 0o755)
      authority = await certificateOf('authority', null, [-30, 30])
      await primary.administer('create role certain login')
      const [file] = await primary.query('show hba_file')
      const path = String(file?.['hba_file'])
      const rules = await readFile(path, 'utf8')
      await writeFile(path, `hostssl all certain all cert\n${rules}`)
    })
    afterAll(async () => {
      await group.close()
      await rm(folder, { recursive: true, force: true })
    })

    it.each<[string, [number, number], string]>([
      [
        'has expired',
        [-20, -10],
        "the server's certificate, or that of its authority, has expired; renew it",
      ],
      [
        'is not valid yet',
        [10, 20],
        "the server's certificate, or that of its authority, is not valid yet; correct the clock of this machine, or renew it",
      ],
    ])("says that the server's %s", async (_what, days, words) => {
      await serve(await certificateOf('localhost', authority, days))
      expect(await saidOf('')).toContain(`DATABASE_URL: ${words} (`)
    })

    it.each(['TLSv1.2', 'TLSv1.3'])(
      "says what the server has against the service's own by %s",
      async (max) => {
        await serve(await certificateOf('localhost', authority, [-1, 9]), { ssl_max_protocol_version: max })
        const own = await certificateOf('certain', authority, [-1, 9])
        expect(await saidOf(await byPair(own), 'certain')).toBe('taken')
        const expired = await certificateOf('certain', authority, [-20, -10])
        expect(await saidOf(await byPair(expired), 'certain')).toContain(
          'DATABASE_URL: for the server, the certificate in sslcert has expired; renew it (',
        )
        const stranger = await certificateOf('certain', null, [-1, 9])
        expect(await saidOf(await byPair(stranger), 'certain')).toContain(
          'DATABASE_URL: the server does not know the authority of the certificate in sslcert; add it to ssl_ca_file there (',
        )
        const other = await certificateOf('somebody', authority, [-1, 9])
        for (const query of ['', await byPair(other)])
          expect(await saidOf(query, 'certain')).toContain(
            'allow it in pg_hba.conf, change sslmode, or name a certificate of the role in sslcert (28000)',
          )
      },
    )

    it('says that the server speaks no such version', async () => {
      await serve(await certificateOf('localhost', authority, [-1, 9]), {
        ssl_max_protocol_version: 'TLSv1.2',
      })
      expect(await saidOf('&ssl_min_protocol_version=TLSv1.3')).toContain(
        'DATABASE_URL: the server speaks no version of TLS that is accepted here; correct ssl_max_protocol_version there, or ssl_min_protocol_version (',
      )
    })
  },
)
