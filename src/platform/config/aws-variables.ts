import { text, type Environment } from './environment.ts'

export type ObjectStoreKeys = Readonly<{
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}>

/** Other ways in which AWS's own tools find keys: an operator who relies on one is told that it is not read. */
const otherKeys = [
  'AWS_PROFILE',
  'AWS_DEFAULT_PROFILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_ROLE_ARN',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
]

/** What leads AWS's own tools to another server than the region's. */
const otherEndpoints = [
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL',
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
]

/** Null, with a mistake, where there are none: no profile, role or instance credentials are used. */
export function readKeys(env: Environment, mistakes: string[]): ObjectStoreKeys | null {
  const accessKeyId = text(env['AWS_ACCESS_KEY_ID'])
  const secretAccessKey = text(env['AWS_SECRET_ACCESS_KEY'])
  const sessionToken = text(env['AWS_SESSION_TOKEN'])
  if (accessKeyId !== null && secretAccessKey !== null)
    return { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) }
  const unread = otherKeys.filter((name) => text(env[name]) !== null)
  const told =
    unread.length === 0 ? '' : `; ${unread.join(', ')} ${unread.length === 1 ? 'is' : 'are'} not read`
  mistakes.push(
    `AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: expected both, because OBJECT_STORE_URL is set${told}`,
  )
  return null
}

/** As AWS's tools have it: the second is the older name. */
export function readRegion(env: Environment): string | null {
  return text(env['AWS_REGION']) ?? text(env['AWS_DEFAULT_REGION'])
}

/** Why `s3://` does not mean AWS itself; undefined: it does. */
export function whyAnotherEndpoint(env: Environment): string | undefined {
  const set = otherEndpoints.find((name) => !['', 'false'].includes(text(env[name])?.toLowerCase() ?? ''))
  return set === undefined
    ? undefined
    : `${set} is not read: expected the server in OBJECT_STORE_URL (https://host:port/bucket/prefix) and not s3://`
}
