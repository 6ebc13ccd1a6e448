/** A repository by its name, and the tag, branch or commit that the address points to. */
export type RepositoryAddress = { name: string; ref: string | null }

/** Longer texts are not addresses of repositories. */
const maxLength = 1_000

/** Hosts on which a repository is an owner and a name, whatever follows in an address. */
const ownerAndName = new Set('github.com,bitbucket.org,codeberg.org,gitea.com,gitee.com,git.sr.ht'.split(','))

/** Hosts by their other names. */
const sameHosts = new Map([
  ['ssh.github.com', 'github.com'],
  ['git.sv.gnu.org', 'git.savannah.gnu.org'],
  ['git.savannah.nongnu.org', 'git.savannah.gnu.org'],
  ['git.sv.nongnu.org', 'git.savannah.gnu.org'],
])

/** Before the path of a repository in the addresses of web servers (cgit, gitweb, Gitea) and of the git protocol. */
const serverFolder = /^(?:cgit|git|gitweb|gitroot|r)\/(?=.)/

/** Self-hosted Bitbucket, which ignores case: addresses to clone from, its pages, and those of personal repositories. */
const bitbucketServer = /^(?:scm\/([^/]+\/[^/]+)|(projects|users)\/([^/]+)\/repos\/([^/]+)(?:\/.*)?)$/

/**
 * Repositories that are copies of each other under several names, by the one under which they are kept here. The kernel's stable tree has the
 * tags of all its releases.
 */
const copies: readonly (readonly [pattern: RegExp, name: string])[] = [
  [
    /^git\.kernel\.org\/pub\/scm\/linux\/kernel\/git\/(?:torvalds\/linux|stable\/linux(?:-stable)?)$/,
    'github.com/torvalds/linux',
  ],
  [/^github\.com\/gregkh\/linux$/, 'github.com/torvalds/linux'],
  [/^git\.openssl\.org\/openssl$/, 'github.com/openssl/openssl'],
  [/^gitlab\.gnome\.org\/gnome\/([\w.-]+)$/, 'github.com/gnome/$1'],
]

/** The kernel of Linux, on which records speak as the package `Kernel` of an ecosystem of its own. */
export const kernelRepository = 'github.com/torvalds/linux'

/**
 * The repository behind an address in any usual spelling: `https://github.com/Madler/zlib.git`, `git@github.com:madler/zlib`,
 * `git+https://github.com/madler/zlib@v1.2.11#src`. Its name is host and path, in lower case where the host does not tell capitals apart. undefined for
 * what is no address of a repository.
 */
export function readRepository(address: string): RepositoryAddress | undefined {
  if (address.length > maxLength) return undefined
  const parts = splitAddress(address.trim().replace(/^scm:(?:git[:|])?/i, ''))
  if (parts === undefined) return undefined
  const host = hostOf(parts.host)
  const { path, ref } = splitRef(parts.path)
  const segments = withoutPages(host, withoutServerFolder(host, path)).split('/')
  const isWhole = segments.length >= (ownerAndName.has(host) || isGitLab(host) ? 2 : 1)
  if (!isWhole || !segments.every((segment) => /^[\w.+~-]+$/.test(segment) && !/^\.+$/.test(segment)))
    return undefined
  const spelled = segments.join('/')
  return { name: keptName(`${host}/${isCaseless(host) ? spelled.toLowerCase() : spelled}`), ref }
}

/** The name of the repository behind an address; '' for what is no address. */
export function repositoryName(address: string): string {
  return readRepository(address)?.name ?? ''
}

function splitAddress(address: string): { host: string; path: string } | undefined {
  // `git@github.com:madler/zlib.git`, as ssh and git write it
  const [, sshHost, sshPath] =
    /^(?:[a-z+]+:\/\/)?[\w.-]+@([\w.-]+\.[a-z]+):(?!\d+\/)(.+)$/i.exec(address) ?? []
  if (sshHost !== undefined && sshPath !== undefined) return { host: sshHost, path: withoutQuery(sshPath) }
  const [, host, path] =
    /^(?:[a-z][a-z+]*:)*(?:\/\/)?(?:[^/@]*@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?\/(.+)$/i.exec(address) ?? []
  return host === undefined || path === undefined ? undefined : { host, path: withoutQuery(path) }
}

/** gitweb names the repository in its query: `/git/?p=glibc.git;a=summary`. */
function withoutQuery(path: string): string {
  const [, project] = /\?(?:[^#]*[;&])?p=([^;&#]+)/.exec(path) ?? []
  return project ?? path.replace(/[?#].*$/s, '')
}

function hostOf(text: string): string {
  const host = text.toLowerCase().replace(/^www\./, '')
  return sameHosts.get(host) ?? host
}

/** `…/zlib.git@v1.2.11`, `…/zlib@v1.2.11` (SPDX 2.3, 7.7; pip and purl write it so too). */
function splitRef(path: string): { path: string; ref: string | null } {
  const [, before = path, ref] = /^(.*?[^/])@([^@]+)$/.exec(path) ?? []
  const trimmed = before.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '')
  return { path: trimmed.replace(/\/{2,}/g, '/'), ref: ref === undefined || ref === '' ? null : ref }
}

function withoutServerFolder(host: string, path: string): string {
  // where Gitiles asks for a password
  if (isGitiles(host)) return path.replace(/^a\/(?=.)/, '')
  const [found, cloned, kind, owner = '', name = ''] = bitbucketServer.exec(path) ?? []
  if (found === undefined) return path.replace(serverFolder, '')
  return (cloned ?? `${kind === 'users' ? '~' : ''}${owner}/${name}`).toLowerCase()
}

/** Without the path of a page in the repository: `/tree/v1.2.11`, `/-/tags`. */
function withoutPages(host: string, path: string): string {
  const [repository = ''] = path.split(pagesOf(host), 1)
  const whole = ownerAndName.has(host) ? repository.split('/').slice(0, 2).join('/') : repository
  return whole.replace(/\.git(?:\/.*)?$/i, '').replace(/\/+$/, '')
}

/** Where pages begin behind a repository of any depth. */
function pagesOf(host: string): RegExp {
  if (isGitiles(host)) return /\/\+(?:log|refs|show|archive|blame|diff|doc)?(?:\/|$)/
  // before version 12.7 without `/-/`; no project can have such a name
  if (isGitLab(host)) return /\/-\/|(?<=\/.+)\/(?:tree|blob|raw|commits|blame)\/|\/commit\/(?=[\da-f]{7,40}$)/
  return /\/-\/|\/src\/(?:branch|tag|commit)\//
}

function isGitiles(host: string): boolean {
  return host.endsWith('.googlesource.com')
}

/** GitLab is run by many under their own names. */
function isGitLab(host: string): boolean {
  return host.startsWith('gitlab.')
}

function isCaseless(host: string): boolean {
  return ownerAndName.has(host) || isGitLab(host)
}

function keptName(name: string): string {
  const copy = copies.find(([pattern]) => pattern.test(name))
  return copy === undefined ? name : name.replace(copy[0], copy[1])
}
