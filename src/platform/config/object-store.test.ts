import { describe, expect, it } from 'vitest'
import { readObjectStore } from './object-store.ts'

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

function read(env: Record<string, string>, canSeal = true) {
  const mistakes: string[] = []
  return { ...readObjectStore({ ...keys, ...env }, { canSeal, mistakes }), mistakes }
}

describe('a place', () => {
  it.each([
    ['https://minio.example:9000/b-1', {}, 'https://minio.example:9000', '/b-1', '', 'us-east-1'],
    ['http://127.0.0.1:9000/b-1/a/b/', {}, 'http://127.0.0.1:9000', '/b-1', 'a/b/', 'us-east-1'],
    [
      'https://r2.example/b-1',
      { OBJECT_STORE_ADDRESSING: 'virtual' },
      'https://b-1.r2.example',
      '',
      '',
      'us-east-1',
    ],
    [
      's3://b-1/x',
      { AWS_REGION: 'eu-north-1' },
      'https://b-1.s3.eu-north-1.amazonaws.com',
      '',
      'x/',
      'eu-north-1',
    ],
    [
      's3://b.1',
      { AWS_REGION: 'eu-north-1', OBJECT_STORE_ADDRESSING: 'path' },
      'https://s3.eu-north-1.amazonaws.com',
      '/b.1',
      '',
      'eu-north-1',
    ],
  ])('%s is read', (url, env, origin, basePath, prefix, region) => {
    const { place, mistakes } = read({ OBJECT_STORE_URL: url, ...env })
    expect(mistakes).toEqual([])
    expect(place).toMatchObject({ origin, basePath, prefix, region, takesNew: true })
  })

  it('has its region from the older name too, and keys that end', () => {
    const older = { OBJECT_STORE_URL: 's3://b-1', AWS_DEFAULT_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 't' }
    expect(read(older)).toMatchObject({
      place: { region: 'eu-west-1' },
      keys: { sessionToken: 't' },
      mistakes: [],
    })
    expect(read({ ...older, AWS_REGION: 'eu-north-1' }).place?.region).toBe('eu-north-1')
  })

  it('is read beside what leads AWS’s own tools elsewhere, where it does not contradict it', () => {
    const env = { AWS_ENDPOINT_URL: 'https://h.example', AWS_PROFILE: 'x', AWS_USE_FIPS_ENDPOINT: 'false' }
    expect(read({ OBJECT_STORE_URL: 'https://h.example/b-1', ...env }).mistakes).toEqual([])
    const aws = { OBJECT_STORE_URL: 's3://b-1', AWS_REGION: 'eu-north-1', AWS_USE_FIPS_ENDPOINT: 'false' }
    expect(read(aws).mistakes).toEqual([])
  })

  it('is absent without an address', () => {
    expect(read({})).toEqual({ place: null, keys: null, mistakes: [] })
  })
})

describe('is refused', () => {
  it.each<[string, Record<string, string>, string]>([
    ['no URL', { OBJECT_STORE_URL: 'bucket' }, 'OBJECT_STORE_URL: expected s3://'],
    ['another scheme', { OBJECT_STORE_URL: 'ftp://h/b-1' }, 'OBJECT_STORE_URL: expected s3://'],
    ['no bucket', { OBJECT_STORE_URL: 'https://h.example/' }, 'a bucket of 3 to 63'],
    ['keys in the address', { OBJECT_STORE_URL: 'https://u:geheim@h.example/b-1' }, 'without user name'],
    ['a prefix with ..', { OBJECT_STORE_URL: 'https://h.example/b-1/a/%2e%2e%2f' }, 'expected a prefix'],
    ['AWS without a region', { OBJECT_STORE_URL: 's3://b-1' }, 'AWS_REGION: expected the region'],
    [
      'a bucket with dots as a host',
      { OBJECT_STORE_URL: 's3://b.1', AWS_REGION: 'eu-north-1' },
      'OBJECT_STORE_ADDRESSING: expected path, because no certificate',
    ],
    [
      'a bucket before an IP address',
      { OBJECT_STORE_URL: 'http://127.0.0.1:9000/b-1', OBJECT_STORE_ADDRESSING: 'virtual' },
      'OBJECT_STORE_ADDRESSING: expected path, because OBJECT_STORE_URL names an IP address',
    ],
    [
      'another addressing',
      { OBJECT_STORE_URL: 'https://h.example/b-1', OBJECT_STORE_ADDRESSING: 'x' },
      'path or virtual',
    ],
    [
      'other uploads',
      { OBJECT_STORE_URL: 'https://h.example/b-1', OBJECT_STORE_UPLOADS: 'x' },
      'store or database',
    ],
    [
      'an option without the store',
      { OBJECT_STORE_UPLOADS: 'store' },
      'OBJECT_STORE_UPLOADS: expected OBJECT_STORE_URL',
    ],
    [
      'another server beside AWS',
      {
        OBJECT_STORE_URL: 's3://b-1',
        AWS_REGION: 'eu-north-1',
        AWS_ENDPOINT_URL_S3: 'https://minio.example',
      },
      'AWS_ENDPOINT_URL_S3 is not read: expected the server in OBJECT_STORE_URL',
    ],
    [
      'another endpoint of AWS',
      { OBJECT_STORE_URL: 's3://b-1', AWS_REGION: 'eu-north-1', AWS_USE_FIPS_ENDPOINT: 'true' },
      'AWS_USE_FIPS_ENDPOINT is not read',
    ],
    ...['AWS_PROFILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CONTAINER_CREDENTIALS_FULL_URI'].map(
      (name): [string, Record<string, string>, string] => [
        `${name} for keys`,
        { OBJECT_STORE_URL: 'https://h.example/b-1', AWS_ACCESS_KEY_ID: '', [name]: 'x' },
        `expected both, because OBJECT_STORE_URL is set; ${name} is not read`,
      ],
    ),
    [
      'a role for keys',
      {
        OBJECT_STORE_URL: 'https://h.example/b-1',
        AWS_ACCESS_KEY_ID: '',
        AWS_SECRET_ACCESS_KEY: '',
        AWS_WEB_IDENTITY_TOKEN_FILE: '/x',
        AWS_ROLE_ARN: 'x',
      },
      'AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN are not read',
    ],
    ['no secret', { OBJECT_STORE_URL: 'https://h.example/b-1', AWS_SECRET_ACCESS_KEY: '' }, 'expected both'],
  ])('%s', (_what, env, words) => {
    const { mistakes } = read(env)
    expect(mistakes.join('\n')).toContain(words)
    expect(mistakes.join('\n')).not.toContain('geheim')
  })

  it('a store without encryption keys', () => {
    const { mistakes } = read({ OBJECT_STORE_URL: 'https://h.example/b-1' }, false)
    expect(mistakes).toEqual([expect.stringContaining('OBJECT_STORE_URL: expected ENCRYPTION_KEYS')])
  })
})
