import { readKeys, readRegion, whyAnotherEndpoint, type ObjectStoreKeys } from './aws-variables.ts'
import { text, type Environment } from './environment.ts'

/** A bucket of an S3 API and where in it the originals are. Safe to log. */
export type Bucket = Readonly<{
  /** `https://host:port`, with the bucket as its first label where that is how it is addressed. */
  origin: string
  /** What every path begins with: `/bucket`, or nothing where the host names it. */
  basePath: string
  bucket: string
  /** What every key begins with: empty, or with a slash at its end. */
  prefix: string
  region: string
  /** Host, bucket and prefix: the same for both styles of addressing. */
  name: string
  /** Whether new originals go there; otherwise they go into the database, and those in the store are still read. */
  takesNew: boolean
}>

const bucketName = /^[a-z0-9](?:[a-z0-9.-]{1,61}[a-z0-9])$/
const prefixForm = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/
const expected =
  'expected s3://bucket, s3://bucket/prefix or the address of another store with its bucket (https://host:port/bucket/prefix)'

type Read = { place: Bucket | null; keys: ObjectStoreKeys | null }
type Judging = { canSeal: boolean; mistakes: string[] }

/**
 * Reads OBJECT_STORE_URL and what belongs to it; null without. `canSeal`: there are encryption keys, or the service makes some.
 */
export function readObjectStore(env: Environment, { canSeal, mistakes }: Judging): Read {
  const address = text(env['OBJECT_STORE_URL'])
  const addressing = readOneOf(env, 'OBJECT_STORE_ADDRESSING', ['path', 'virtual'] as const, mistakes)
  const uploads = readOneOf(env, 'OBJECT_STORE_UPLOADS', ['store', 'database'] as const, mistakes)
  if (address === null) {
    for (const name of ['OBJECT_STORE_ADDRESSING', 'OBJECT_STORE_UPLOADS'])
      if (text(env[name]) !== null) mistakes.push(`${name}: expected OBJECT_STORE_URL beside it`)
    return { place: null, keys: null }
  }
  if (!canSeal)
    mistakes.push(
      'OBJECT_STORE_URL: expected ENCRYPTION_KEYS beside it, because originals are sealed before they leave the service',
    )
  const elsewhere = /^s3:/i.test(address) ? whyAnotherEndpoint(env) : undefined
  if (elsewhere !== undefined) mistakes.push(elsewhere)
  const place = readPlace(address, { addressing, region: readRegion(env), mistakes })
  const keys = readKeys(env, mistakes)
  return { place: place === null ? null : { ...place, takesNew: uploads !== 'database' }, keys }
}

function readOneOf<T extends string>(
  env: Environment,
  name: string,
  words: readonly T[],
  mistakes: string[],
): T | null {
  const value = text(env[name])
  if (value === null) return null
  const found = words.find((word) => word === value)
  if (found === undefined) mistakes.push(`${name}: expected ${words.join(' or ')}, found "${value}"`)
  return found ?? null
}

type Addressing = { addressing: 'path' | 'virtual' | null; region: string | null; mistakes: string[] }

function readPlace(
  address: string,
  { addressing, region, mistakes }: Addressing,
): Omit<Bucket, 'takesNew'> | null {
  const read = readAddress(address)
  if (typeof read === 'string') {
    mistakes.push(`OBJECT_STORE_URL: ${read}`)
    return null
  }
  const wrong = whyContradictory(read, { addressing, region })
  if (wrong !== undefined) {
    mistakes.push(wrong)
    return null
  }
  const { isAws, bucket, prefix, url } = read
  const host = isAws ? `s3.${region ?? ''}.amazonaws.com` : url.host
  const isVirtual = isVirtualHost(read, addressing)
  return {
    origin: new URL(`${isAws ? 'https:' : url.protocol}//${isVirtual ? `${bucket}.` : ''}${host}`).origin,
    basePath: isVirtual ? '' : `/${bucket}`,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: region ?? 'us-east-1',
    name: [host, bucket, ...(prefix === '' ? [] : [prefix])].join('/'),
  }
}

function isVirtualHost({ isAws }: Address, addressing: Addressing['addressing']): boolean {
  return (addressing ?? (isAws ? 'virtual' : 'path')) === 'virtual'
}

function whyContradictory(
  read: Address,
  { addressing, region }: Omit<Addressing, 'mistakes'>,
): string | undefined {
  if (read.isAws && region === null)
    return 'AWS_REGION: expected the region of the bucket, because OBJECT_STORE_URL is s3://'
  const refused = isVirtualHost(read, addressing) ? whyNotVirtual(read) : undefined
  return refused === undefined ? undefined : `OBJECT_STORE_ADDRESSING: expected path, because ${refused}`
}

type Address = { url: URL; isAws: boolean; bucket: string; prefix: string }

/** A mistake never repeats the value: somebody may have put a password there. */
function readAddress(address: string): Address | string {
  const url = URL.parse(address)
  if (url === null || !['s3:', 'https:', 'http:'].includes(url.protocol) || url.hostname === '')
    return expected
  if ([url.username, url.password, url.search, url.hash].some((part) => part !== ''))
    return `${expected}, without user name, query or fragment; the keys are AWS_… variables`
  const isAws = url.protocol === 's3:'
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const [bucket = '', ...below] = isAws ? [url.host, ...parts] : parts
  const prefix = below.join('/')
  if (!bucketName.test(bucket))
    return `${expected}, and a bucket of 3 to 63 lower-case letters, digits, dots and hyphens`
  if (prefix !== '' && !isPrefix(prefix))
    return 'expected a prefix of letters, digits, dots, hyphens, underscores and slashes'
  return { url, isAws, bucket, prefix }
}

function isPrefix(prefix: string): boolean {
  const isOdd = prefix.split('/').some((part) => /^\.+$/.test(part))
  return prefix.length <= 200 && prefixForm.test(prefix) && !isOdd
}

function whyNotVirtual({ url, isAws, bucket }: Address): string | undefined {
  if (url.protocol !== 'http:' && bucket.includes('.'))
    return 'no certificate covers a bucket with dots in its name'
  const isIp = url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname)
  return !isAws && isIp ? 'OBJECT_STORE_URL names an IP address and no host' : undefined
}
