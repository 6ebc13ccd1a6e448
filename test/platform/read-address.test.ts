import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { DatabaseAddress } from '../../src/platform/postgres/address/address.ts'
import { passwordsIn, readAddress } from '../../src/platform/postgres/address/read-address.ts'
import { AddressError } from '../../src/platform/postgres/address/split-uri.ts'

const standard = {
  user: undefined,
  password: undefined,
  passFile: undefined,
  database: undefined,
  tls: { mode: 'prefer', rootCert: null, minVersion: 'TLSv1.2', client: null },
  channelBinding: 'prefer',
  keepAliveMs: undefined,
  attributes: 'any',
  isShuffled: false,
  connectTimeoutMs: null,
  applicationName: undefined,
  options: undefined,
}
const local = [{ host: '127.0.0.1', port: 1 }]
const tls = (settings: object) => ({ tls: { ...standard.tls, ...settings } })

const accepted: [uri: string, says: object][] = [
  ['postgresql://u@127.0.0.1:1/d', { user: 'u', database: 'd' }],
  ['postgres://u:p@127.0.0.1:1/d', { user: 'u', password: 'p', database: 'd' }],
  ['postgresql://127.0.0.1:1', {}],
  ['postgresql://127.0.0.1:1/', {}],
  ['postgresql://u:@127.0.0.1:1/', { user: 'u', password: '' }],
  ['postgresql://u:a:b?c%40@127.0.0.1:1/d', { user: 'u', password: 'a:b?c@', database: 'd' }],
  ['postgresql://%C3%BC:%25+@127.0.0.1:1/a%2Fb', { user: 'ü', password: '%+', database: 'a/b' }],
  ['postgresql://[::1]:1/d', { hosts: [{ host: '::1', port: 1 }], database: 'd' }],
  [
    'postgresql://127.0.0.1:1,127.0.0.2:2,[::1]:3/d?target_session_attrs=read-write',
    {
      hosts: [...local, { host: '127.0.0.2', port: 2 }, { host: '::1', port: 3 }],
      database: 'd',
      attributes: 'read-write',
    },
  ],
  [
    'postgresql:///d?host=127.0.0.1,127.0.0.2&port=1',
    { hosts: [...local, { host: '127.0.0.2', port: 1 }], database: 'd' },
  ],
  ['postgresql://127.0.0.9:9/d?host=127.0.0.1&port=1', { database: 'd' }],
  ['postgresql://u@%2Fnowhere:1/d', { user: 'u', hosts: [{ host: '/nowhere', port: 1 }], database: 'd' }],
  [
    'postgresql:///d?host=/now+here%20&port=1&user=u',
    { user: 'u', hosts: [{ host: '/now+here ', port: 1 }], database: 'd' },
  ],
  ['postgresql://127.0.0.1:1/?dbname=d&user=u&password=p', { user: 'u', password: 'p', database: 'd' }],
  ['postgresql://127.0.0.1:1/d?', { database: 'd' }],
  ['postgresql://127.0.0.1:1/?sslmode=disable', tls({ mode: 'disable' })],
  ['postgresql://127.0.0.1:1/?sslmode=allow', tls({ mode: 'allow' })],
  ['postgresql://127.0.0.1:1/?sslmode=require', tls({ mode: 'require' })],
  ['postgresql://127.0.0.1:1/?ssl=true', tls({ mode: 'require' })],
  [
    'postgresql://127.0.0.1:1/?sslmode=verify-ca&sslrootcert=/ca.pem',
    tls({ mode: 'verify-ca', rootCert: '/ca.pem' }),
  ],
  [
    'postgresql://127.0.0.1:1/?sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem',
    tls({
      mode: 'verify-full',
      rootCert: '/ca.pem',
      client: { cert: '/c.pem', key: '/k.pem', passphrase: null },
    }),
  ],
  ['postgresql://127.0.0.1:1/?target_session_attrs=primary', { attributes: 'primary' }],
  ['postgresql://127.0.0.1:1/?target_session_attrs=any', {}],
  ['postgresql://127.0.0.1:1/?connect_timeout=1', { connectTimeoutMs: 2_000 }],
  ['postgresql://127.0.0.1:1/?connect_timeout=7', { connectTimeoutMs: 7_000 }],
  ['postgresql://127.0.0.1:1/?connect_timeout=0', {}],
  [
    'postgresql://127.0.0.1:1/?application_name=x&options=-c%20work_mem%3D8MB',
    { applicationName: 'x', options: '-c work_mem=8MB' },
  ],
  ['postgresql://127.0.0.1:1/?fallback_application_name=x&gssencmode=disable&channel_binding=prefer', {}],
  ['postgresql://127.0.0.1:1/?channel_binding=disable', { channelBinding: 'disable' }],
  ['postgresql://127.0.0.1:1/?channel_binding=require', { channelBinding: 'require' }],
  ['postgresql://127.0.0.1:1/?ssl_min_protocol_version=TLSv1.3', tls({ minVersion: 'TLSv1.3' })],
  ['postgresql://127.0.0.1:1/?passfile=/p', { passFile: '/p' }],
  ['postgresql://127.0.0.1:1/?keepalives=0', { keepAliveMs: null }],
  ['postgresql://127.0.0.1:1/?keepalives=1&keepalives_idle=30', { keepAliveMs: 30_000 }],
  ['postgresql://127.0.0.1:1/?sslcompression=0&sslsni=1', {}],
  [
    'postgresql://localhost:1/d?hostaddr=127.0.0.1',
    { hosts: [{ host: 'localhost', port: 1, address: '127.0.0.1' }], database: 'd' },
  ],
  [
    'postgresql:///d?hostaddr=127.0.0.1&port=1',
    { hosts: [{ host: '127.0.0.1', port: 1, address: '127.0.0.1' }], database: 'd' },
  ],
  [
    'postgresql://localhost:1,127.0.0.1:1/d?hostaddr=::1,',
    { hosts: [{ host: 'localhost', port: 1, address: '::1' }, ...local], database: 'd' },
  ],
  [
    'postgresql://127.0.0.1:1/?sslcert=/c.pem&sslkey=/k.pem&sslpassword=opens',
    tls({ client: { cert: '/c.pem', key: '/k.pem', passphrase: 'opens' } }),
  ],
]

/** Features of libpq versions newer than Debian's, or our own. */
const acceptedHere: [uri: string, says: object][] = [
  ['postgresql://127.0.0.1:1/?load_balance_hosts=random', { isShuffled: true }],
  ['postgresql://127.0.0.1:1/?load_balance_hosts=disable', {}],
  ['postgresql://127.0.0.1:1/?sslrootcert=system', tls({ mode: 'verify-full', rootCert: 'system' })],
  ['postgresql://127.0.0.1:1/?sslmode=verify-full', tls({ mode: 'verify-full' })],
  ['postgresql://u:a@b@127.0.0.1:1/d', { user: 'u', password: 'a@b', database: 'd' }],
  ['postgresql://127.0.0.1:1/?uselibpqcompat=true&sslmode=require', tls({ mode: 'require' })],
]

const refused: [uri: string, words: string][] = [
  ['mysql://u:s3cret@127.0.0.1/d', 'found something that does not begin with postgresql://'],
  ['postgresql://u:s3cret@127.0.0.1:x1/d', 'found a port that is not a number from 1 to 65535'],
  ['postgresql://u:s3cret@127.0.0.1:65536/d', 'found a port that is not a number from 1 to 65535'],
  ['postgresql://u:s3cret@127.0.0.1:0/d', 'found a port that is not a number from 1 to 65535'],
  ['postgresql://u:s3cret@127.0.0.1/d?port=1,2', 'one for each of the 1 hosts, found 2'],
  ['postgresql://u:s3cret%zz@127.0.0.1/d', 'a "%" that begins no percent-encoded character'],
  ['postgresql://u:s3cret%00@127.0.0.1/d', 'a "%" that begins no percent-encoded character'],
  ['postgresql://u:s3cret@[]/d', 'found a host that cannot be read'],
  ['postgresql://u:s3cret@[::1]x/d', 'found a host that cannot be read'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslmode', 'a parameter behind the "?" that is not written name=value'],
  ['postgresql://u:s3cret@127.0.0.1/d?user=a=b', 'a parameter behind the "?" that is not written name=value'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslmod=require', 'found another one "sslmod"'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslmode=no-verify', 'one of disable, allow, prefer, require,'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslmode=requires', 'found "requires"'],
  ['postgresql://u:s3cret@127.0.0.1/d?target_session_attrs=writer', 'found "writer"'],
  ['postgresql://u:s3cret@127.0.0.1/d?connect_timeout=soon', 'a whole number of seconds'],
  [
    'postgresql://u:s3cret@127.0.0.1/d?channel_binding=always',
    'one of disable, prefer, require, found "always"',
  ],
  ['postgresql://u:s3cret@127.0.0.1/d?hostaddr=127.0.0.1,127.0.0.1', 'for each of the 1 hosts, found 2'],
  ['postgresql://u:s3cret@127.0.0.1/d?ssl_min_protocol_version=SSLv3', 'one of TLSv1.2, TLSv1.3'],
]

/** Features of libpq that this service cannot or must not support. */
const refusedHere: [uri: string, words: string][] = [
  ['postgresql://u:s3cret@127.0.0.1/d?target_session_attrs=standby', 'found "standby": the service writes'],
  ['postgresql://u:s3cret@127.0.0.1/d?target_session_attrs=prefer-standby', 'the service writes'],
  ['postgresql://u:s3cret@127.0.0.1/d?target_session_attrs=read-only', 'the service writes'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslcrl=/crl.pem', 'found another one "sslcrl"'],
  ['postgresql://u:s3cret@127.0.0.1/d?ssl_min_protocol_version=TLSv1', 'one of TLSv1.2, TLSv1.3'],
  ['postgresql://u:s3cret@127.0.0.1/d?hostaddr=localhost', 'hostaddr to be addresses in numbers'],
  ['postgresql://u:s3cret@127.0.0.1/d?host=@monitor', 'the folder of a socket'],
  ['postgresql://u:s3cret@127.0.0.1/d?service=monitor', '"service"; write what it says into the address'],
  [
    'postgresql://u:s3cret@127.0.0.1/d?tcp_user_timeout=5000',
    '"tcp_user_timeout"; a server that falls silent',
  ],
  ['postgresql://u:s3cret@127.0.0.1/d?keepalives_interval=5', '"keepalives_interval"; a server that falls'],
  ['postgresql://u:s3cret@127.0.0.1/d?keepalives_count=5', '"keepalives_count"; a server that falls silent'],
  ['postgresql://u:s3cret@127.0.0.1/d?keepalives=2', 'keepalives to be one of 0, 1'],
  [
    'postgresql://u:s3cret@127.0.0.1/d?keepalives_idle=long',
    'keepalives_idle to be a whole number of seconds',
  ],
  ['postgresql://u:s3cret@127.0.0.1/d?requirepeer=postgres', 'found another one "requirepeer"'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslcompression=1', 'sslcompression to be one of 0'],
  ['postgresql://u:s3cret@127.0.0.1/d?gssencmode=require', 'gssencmode to be one of disable, prefer'],
  ['postgresql://u:s3cret@127.0.0.1/d?replication=database', 'found another one "replication"'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslmode=verify-ca', 'expected sslrootcert with sslmode=verify-ca'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslrootcert=system&sslmode=require', 'expected sslmode=verify-full'],
  ['postgresql://u:s3cret@127.0.0.1/d?sslcert=/c.pem', 'expected both sslcert and sslkey, or neither'],
]

describe('readAddress', () => {
  it.each([...accepted, ...acceptedHere])('%s', (uri, says) => {
    expect(readAddress(uri, {})).toEqual({ ...standard, hosts: local, ...says })
  })

  it.each([...refused, ...refusedHere])('refuses %s', (uri, words) => {
    let message = ''
    try {
      readAddress(uri, {})
    } catch (error) {
      message = error instanceof AddressError ? error.message : 'another error'
    }
    expect(message).toContain(words)
    expect(message).toMatch(/^expected .*, found /)
    expect(message).not.toMatch(/s3cret|127/)
  })

  it('never repeats what may be a password that should have been encoded', () => {
    const told = (uri: string) => {
      try {
        readAddress(uri, {})
        return ''
      } catch (error) {
        return String(error)
      }
    }
    for (const uri of ['postgresql://u:12/s3cret@h/d', 'postgresql://u:12/x?s3cret=1@h/d'])
      expect(told(uri)).not.toMatch(/s3cret/)
  })

  it.each(['/run/postgresql monitor', 'socket:/run/postgresql?db=monitor'])(
    'leaves %s to the driver',
    (text) => {
      expect(readAddress(text, {})).toBeNull()
    },
  )

  it('reads the variables of libpq for what the address leaves open', () => {
    const env = {
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: '/ca.pem',
      PGTARGETSESSIONATTRS: 'primary',
      PGHOST: 'a,b',
      PGPORT: '6000',
      PGPASSFILE: '/passwords',
    }
    expect(readAddress('postgresql://', env)).toMatchObject({
      hosts: [
        { host: 'a', port: 6000 },
        { host: 'b', port: 6000 },
      ],
      tls: { mode: 'verify-full', rootCert: '/ca.pem' },
      attributes: 'primary',
      passFile: '/passwords',
    } satisfies Partial<Record<keyof DatabaseAddress, unknown>>)
    expect(readAddress('postgresql://h/?sslmode=disable', env)?.tls.mode).toBe('disable')
    expect(readAddress('postgresql://', {})?.hosts).toEqual([{ host: 'localhost', port: 5432 }])
  })
})

it.each([
  ['PGSERVICE', 'expected no variable PGSERVICE, found it set: write what it says into the address'],
  ['PGSSLCRL', 'expected no variable PGSSLCRL, found it set'],
  ['PGREQUIREPEER', 'expected no variable PGREQUIREPEER, found it set'],
  ['PGCHANNELBINDING', 'expected channel_binding to be one of'],
  ['PGHOSTADDR', 'expected hostaddr to be addresses in numbers'],
  ['PGSSLMINPROTOCOLVERSION', 'expected ssl_min_protocol_version to be one of'],
  ['PGCONNECT_TIMEOUT', 'expected connect_timeout to be a whole number'],
])('what libpq would take from %s is not passed over', (name, words) => {
  expect(() => readAddress('postgresql://h/d', { [name]: 'something' })).toThrow(words)
})

it('passwordsIn finds them as written and as meant, also where there are several hosts', () => {
  expect(passwordsIn('postgresql://u:a%40b@h1,h2:2/d?password=x%2Fy')).toEqual([
    'a%40b',
    'a@b',
    'x%2Fy',
    'x/y',
  ])
  expect(passwordsIn('postgresql://h:5432/d?user=a@b')).toEqual([])
})

const hasPsql = spawnSync('psql', ['--version']).status === 0

describe.runIf(hasPsql)(`psql${hasPsql ? '' : ' (skipped: psql is not installed)'} agrees`, () => {
  /** Errors of parsing the address or its settings, before any connection. */
  const cannotRead =
    /invalid (?:URI|channel_binding value|ssl_min_protocol_version value|percent-encoded|port number|integer value|sslmode value|target_session_attrs value|connection option)|missing key|extra key|could not match|IPv6 host address|unexpected character|forbidden value/
  const said = (uri: string) => {
    const env = { PATH: process.env['PATH'], PGCONNECT_TIMEOUT: '2', LC_ALL: 'C' }
    return spawnSync('psql', ['--no-password', '-c', '', uri], { env, encoding: 'utf8' }).stderr
  }

  it.each(accepted)('on %s', (uri) => {
    expect(said(uri)).not.toMatch(cannotRead)
  })

  it.each(refused.slice(1))('on refusing %s', (uri) => {
    expect(said(uri)).toMatch(cannotRead)
  })
})
