import type { Purl } from '../../formats/purl/purl.ts'
import { aliasedPurl, platformOfGem, withMajorVersion } from '../language-package.ts'
import { registryOf } from '../ecosystems.ts'

/**
 * A purl in the one spelling of several by which records find the same package, to be told apart from others. It says as much as before: what a
 * generator wrote into the name or version goes where the purl specification has it.
 */
export function respelled(stated: Purl): Purl {
  const purl = { ...stated, type: typeOfRegistry(stated.type) }
  return readers.get(purl.type)?.(purl) ?? purl
}

/** `gradle` is `maven`, `dotnet` is `nuget`; a repository of GitHub is not the actions in it. */
function typeOfRegistry(type: string): string {
  return type === 'github' ? type : (registryOf(type)?.purlTypes[0] ?? type)
}

const readers = new Map<string, (purl: Purl) => Purl>([
  ['npm', aliasedPurl],
  ['golang', withMajorVersion],
  ['maven', withGroup],
  ['swift', withoutScheme],
  ['gem', withPlatform],
  ['deb', withArchitecture],
])

/** `pkg:maven/org.acme%3Alib`. */
function withGroup(purl: Purl): Purl {
  const [, group, artifact] = /^([^:]+):([^:]+)$/.exec(purl.name) ?? []
  if (purl.namespace !== null || group === undefined || artifact === undefined) return purl
  return { ...purl, namespace: group, name: artifact }
}

/** `pkg:swift/https://github.com/apple/swift-nio.git`. */
function withoutScheme(purl: Purl): Purl {
  const whole = [purl.namespace, purl.name].filter((part) => part !== null).join('/')
  const address = whole
    .toLowerCase()
    .replace(/^https?:\/{1,2}/, '')
    .replace(/\.git(?=:|$)/, '')
  const slash = address.lastIndexOf('/')
  return { ...purl, namespace: slash < 1 ? null : address.slice(0, slash), name: address.slice(slash + 1) }
}

/** `nokogiri@1.13.8-x86_64-linux` is release 1.13.8 for one platform. */
function withPlatform(purl: Purl): Purl {
  const { version } = purl
  const platform = version === null ? '' : platformOfGem(version)
  if (version === null || platform === '') return purl
  return {
    ...purl,
    version: version.slice(0, -platform.length - 1),
    qualifiers: withQualifier(purl, 'platform', platform),
  }
}

/** `libc6:amd64`, as dpkg lists what is installed for several architectures; no name has a colon. */
function withArchitecture(purl: Purl): Purl {
  const [, name, architecture] = /^([^:]+):([a-z\d-]+)$/.exec(purl.name) ?? []
  if (name === undefined || architecture === undefined) return purl
  return { ...purl, name, qualifiers: withQualifier(purl, 'arch', architecture) }
}

function withQualifier({ qualifiers }: Purl, key: string, value: string): ReadonlyMap<string, string> {
  return qualifiers.has(key) ? qualifiers : new Map([...qualifiers, [key, value]])
}
