import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const sources = [
  { id: 'osv', variable: 'OSV_URL', address: 'https://osv.example' },
  { id: 'kev', variable: 'KEV_URL', address: 'https://kev.example' },
]

describe('configuration', () => {
  it('works with nothing set', () => {
    const { config, secrets } = readConfig({}, { sources })
    expect(config).toMatchObject({
      baseUrl: 'http://localhost:3000',
      port: 3000,
      host: '127.0.0.1',
      isProduction: false,
    })
    expect(config.feeds['kev']).toMatch(/^https:/)
    expect(secrets).toEqual({
      databaseUrl: null,
      databaseListenUrl: null,
      databaseReadUrl: null,
      metricsToken: null,
      objectStoreKeys: null,
      encryptionKeys: null,
      mailCredentials: null,
      stripeKeys: null,
    })
  })

  it('reports every mistake at once', () => {
    const env = {
      NODE_ENV: 'production',
      PORT: 'eighty',
      BASE_URL: 'http://sbom.example',
      KEV_URL: 'ftp://x',
      TLS_CERT: 'cert.pem',
      TRUST_PROXY: 'maybe',
      LAB_DNS_SERVER: '127.0.0.1:53',
      LAB_DIAL_MAP: '[1]',
      FEEDS_EVERY_MINUTES: '0',
      OPERATOR_PAGES: 'no',
    }
    expect(() => readConfig(env, { sources })).toThrow(ConfigError)
    const names = [
      'PORT',
      'BASE_URL',
      'KEV_URL',
      'TLS_CERT',
      'TRUST_PROXY',
      'LAB_DNS_SERVER',
      'LAB_DIAL_MAP',
      'FEEDS_EVERY_MINUTES',
      'OPERATOR_PAGES',
    ]
    for (const name of names) expect(() => readConfig(env, { sources })).toThrow(new RegExp(`\\b${name}`))
  })

  it.each([
    ['off', null],
    ['https://mirror.example/osv/', 'https://mirror.example/osv'],
  ])('takes the feed address %s', (value, expected) => {
    expect(readConfig({ OSV_URL: value }, { sources }).config.feeds['osv']).toBe(expected)
  })

  it('drops the trailing slash of the base address and refuses a query', () => {
    expect(readConfig({ BASE_URL: 'https://sbom.example/' }).config.baseUrl).toBe('https://sbom.example')
    expect(() => readConfig({ BASE_URL: 'https://sbom.example/?a' })).toThrow(/query/)
  })

  it('judges the files of HTTPS where HTTP is served', () => {
    const env = { TLS_CERT: '/no/such/cert.pem', TLS_KEY: '/no/such/key.pem' }
    expect(readConfig(env).config.tls).toEqual({ certFile: '/no/such/cert.pem', keyFile: '/no/such/key.pem' })
    expect(() => readConfig(env, { servesHttp: true })).toThrow(/TLS_CERT.*\n.*TLS_KEY/)
  })

  it('wants a log level that exists, and two ports for two servers', () => {
    expect(readConfig({ LOG_LEVEL: ' ' }).config.logLevel).toBeNull()
    expect(readConfig({ LOG_LEVEL: 'debug' }).config.logLevel).toBe('debug')
    expect(() => readConfig({ LOG_LEVEL: 'verbose' })).toThrow(
      /LOG_LEVEL: expected one of .* found "verbose"/,
    )
    expect(() => readConfig({ PORT: '4000', METRICS_PORT: '4000' })).toThrow(/METRICS_PORT: expected another/)
  })

  it('takes an address of version 6 as HOST without the brackets that it has in a URL', () => {
    expect(readConfig({ HOST: '::1' }).config.host).toBe('::1')
    expect(() => readConfig({ HOST: '[::1]' })).toThrow(
      /HOST: expected an address without brackets, such as ::1, found "\[::1\]"/,
    )
  })

  it('allows the lab seams outside production only', () => {
    expect(readConfig({ LAB_DNS_SERVER: '127.0.0.1:5353' }).config.lab.dnsServer).toBe('127.0.0.1:5353')
    const env = {
      NODE_ENV: 'production',
      BASE_URL: 'https://sbom.example',
      LAB_CLOCK_OFFSET_FILE: '/tmp/offset',
    }
    expect(() => readConfig(env)).toThrow(/LAB_CLOCK_OFFSET_FILE/)
  })

  it.each([
    [undefined, false],
    ['false', false],
    ['0', false],
    ['1', 1],
    ['2', 2],
    ['127.0.0.1', ['127.0.0.1']],
    ['10.0.0.0/8, 2001:db8::/32', ['10.0.0.0/8', '2001:db8::/32']],
  ])('TRUST_PROXY=%s believes %j', (value, expected) => {
    expect(readConfig(value === undefined ? {} : { TRUST_PROXY: value }).config.trustProxy).toEqual(expected)
  })

  it.each([
    'true',
    'yes',
    '10',
    '-1',
    '1.5',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'proxy.example',
    '10.0.0.1,,',
  ])('refuses TRUST_PROXY=%s and says what to write', (value) => {
    expect(() => readConfig({ TRUST_PROXY: value })).toThrow(
      /TRUST_PROXY: .*number of proxies.*10\.0\.0\.0\/8/,
    )
  })
})
