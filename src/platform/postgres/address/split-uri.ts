/** Something in an address that cannot be read. The message never repeats what may be part of a password. */
export class AddressError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'AddressError'
  }
}

/** An address cut into its parts, percent-encoding undone. What is not there is undefined; `parameters` are in their order. */
export type UriParts = {
  user: string | undefined
  password: string | undefined
  hosts: { host: string; port: string }[]
  database: string | undefined
  parameters: [name: string, value: string][]
}

const example = 'postgresql://role:password@host:5432/database'

export function notAnAddress(found: string): AddressError {
  return new AddressError(
    `expected an address such as ${example}, found ${found}; characters such as "@", ":" and "/" in a password are percent-encoded`,
  )
}

/**
 * Cuts a URI as libpq does (PostgreSQL manual, "Connection URIs"): `postgresql://[user[:password]@][host[:port],…][/database][?name=value&…]`.
 * It is more lenient in one respect: of several `@` before the first `/` the last one ends the password.
 */
export function splitUri(text: string): UriParts {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(text) ?? []
  if (rest === undefined) throw notAnAddress('something that does not begin with postgresql://')
  const credentialsEnd = rest.slice(0, indexOr(rest, '/')).lastIndexOf('@')
  const credentials = credentialsEnd === -1 ? '' : rest.slice(0, credentialsEnd)
  const [place, query] = cutAt(rest.slice(credentialsEnd + 1), '?')
  const [hosts, database] = cutAt(place, '/')
  const [user, password] = cutAt(credentials, ':')
  return {
    user: present(decode(user)),
    password: password === undefined ? undefined : decode(password),
    hosts: hosts === '' ? [] : splitHosts(hosts),
    database: database === undefined ? undefined : present(decode(database)),
    parameters: query === undefined || query === '' ? [] : query.split('&').map(splitParameter),
  }
}

function splitHosts(text: string): UriParts['hosts'] {
  return text.split(',').map((one) => {
    const match = /^(?:\[(?<address>[^\]]+)\]|(?<name>[^[\]:]*))(?::(?<port>[^:]*))?$/.exec(one)
    if (match?.groups === undefined) throw notAnAddress('a host that cannot be read')
    const { address, name = '', port = '' } = match.groups
    return { host: decode(address ?? name), port: decode(port) }
  })
}

function splitParameter(text: string): [string, string] {
  const [name = '', value, ...more] = text.split('=')
  if (value === undefined || more.length > 0)
    throw notAnAddress('a parameter behind the "?" that is not written name=value')
  return [decode(name), decode(value)]
}

/** As bytes of UTF-8. `+` stands for itself. */
function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text)
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Reported below without its own message, which may quote a password.
  }
  throw notAnAddress('a "%" that begins no percent-encoded character (a "%" itself is written %25)')
}

function cutAt(text: string, mark: string): [before: string, behind: string | undefined] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function indexOr(text: string, mark: string): number {
  const at = text.indexOf(mark)
  return at === -1 ? text.length : at
}

const present = (text: string) => (text === '' ? undefined : text)
