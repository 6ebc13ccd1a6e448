import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openExternalLab } from '../reliability/scenarios/store-lab.ts'
import { runCli } from '../support/service.ts'
import { errorMessage } from '../support/store-proxy.ts'
import { portOf } from '../support/port-of.ts'

const migrate = (url: string) =>
  runCli({ ...process.env, DATABASE_URL: url, BASE_URL: 'http://localhost:3000' }, ['migrate'])

it.each([
  ['28P01', 'password authentication failed for user "monitor"', 'correct one of the two (28P01)'],
  ['28000', 'no pg_hba.conf entry for host', 'allow it in pg_hba.conf'],
  ['3D000', 'database "monitor" does not exist', 'create it with CREATE DATABASE'],
  [
    '42704',
    'unrecognized configuration parameter "nosuch"',
    '"options" has a setting that the server does not know',
  ],
  [
    '22023',
    'invalid value for parameter "work_mem"',
    '"options" gives a setting a value that it cannot have',
  ],
  ['08P01', 'unsupported startup parameter: statement_timeout', 'a pooler in front of the server refuses'],
  ['08P01', 'transaction blocks not allowed in statement pooling mode', 'or has statement mode'],
  ['08P01', 'SASL authentication failed', 'the pooler knows no such role with this password'],
  ['08P01', 'no such database: monitor', 'the pooler has no such database'],
  ['08P01', 'SSL required', 'the pooler takes encrypted sessions alone'],
  ['08P01', 'no pg_hba.conf entry for host "10.0.0.3"', 'the pooler gets no session of the server'],
  ['08P01', 'server login has been failing, try again later', 'the pooler gets no session of the server'],
])(
  'a server that refuses the session with %s is told of in words, with what to do',
  async (code, said, words) => {
    const server = createServer((client) => {
      client.on('error', () => client.destroy())
      client.once('data', () => client.end(errorMessage(code, said)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = portOf(server)
    const refusal = migrate(`postgresql://monitor:s3cret@127.0.0.1:${port}/monitor`)
    await expect(refusal).rejects.toThrow(/^migrate ended with 2: DATABASE_URL: /)
    await expect(refusal).rejects.toThrow(words)
    await expect(refusal).rejects.not.toThrow('s3cret')
    server.close()
  },
)

it.each([
  [`ENCODING 'LATIN1'`, '', /^migrate ended with 2: DATABASE_URL: the database has the encoding LATIN1/],
  [
    `ENCODING 'SQL_ASCII'`,
    '',
    /^migrate ended with 2: DATABASE_URL: the database has the encoding SQL_ASCII/,
  ],
  ['', 'default_transaction_read_only = on', /^migrate ended with 2: DATABASE_URL: .* is set to read only/],
  ['', 'search_path = nowhere', /^migrate ended with 2: No schema of search_path is there/],
])('a database made with "%s" and set to "%s" is refused in words', async (made, setting, words) => {
  const lab = await openExternalLab()
  try {
    await lab.query(`create database other ${made} locale 'C' template template0`)
    if (setting !== '') await lab.query(`alter database other set ${setting}`)
    const url = new URL(lab.env['DATABASE_URL'] ?? '')
    url.pathname = '/other'
    await expect(migrate(url.href)).rejects.toThrow(words)
  } finally {
    await lab.close()
  }
})

it('a standby is told of in words, with what to do', async () => {
  const lab = await openExternalLab()
  try {
    const isStandby = async () => {
      const [row] = await lab.query('select pg_is_in_recovery() as standby').catch(() => [])
      return row?.['standby'] === true
    }
    const [row] = await lab.query(`select current_setting('data_directory') as folder`)
    await writeFile(join(String(row?.['folder']), 'standby.signal'), '')
    await lab.restart('fast')
    while (!(await isStandby())) await sleep(50)
    await expect(migrate(lab.env['DATABASE_URL'] ?? '')).rejects.toThrow(
      'the server is a standby, which accepts no writes; name the primary',
    )
  } finally {
    await lab.close()
  }
})
