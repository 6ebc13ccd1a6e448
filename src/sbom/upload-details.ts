import { limits } from '../contract/limits.ts'
import { uploadSources, type AnyUploadSource, type UploadSource } from '../contract/sbom/words.ts'
import { cleanOptional } from '../formats/json/clean.ts'

/** What a sender says about an upload, as text of any length and content; absent is null. */
export type GivenDetails = {
  productVersion: string | null
  source: string | null
  commit: string | null
  branch: string | null
  repository: string | null
  runUrl: string | null
}

/** The same, fit to be stored and shown. */
export type UploadDetails = Omit<GivenDetails, 'source'> & { source: AnyUploadSource }

const branchPrefix = 'refs/heads/'

/**
 * Cleans what a sender says about an upload (docs/public-api.md, "Request headers"; docs/decisions/0009, "Header values"): over-long texts are
 * cut, never refused; a run link that is too long or neither http nor https is dropped; an unknown source is `api`.
 */
export function uploadDetails(given: GivenDetails): UploadDetails {
  return {
    productVersion: productVersion(given.productVersion),
    source: uploadSource(given.source),
    commit: cleanOptional(given.commit, limits.commitCharacters),
    branch: branchName(given.branch),
    repository: cleanOptional(withoutCredentials(given.repository), limits.repositoryCharacters),
    runUrl: runLink(given.runUrl),
  }
}

/** A source as it is stored; absent or unknown is `api`. */
export function uploadSource(given: string | null): UploadSource {
  return uploadSources.find((source) => source === given) ?? 'api'
}

/** A product version as it is stored, wherever it comes from; empty is absent. */
export function productVersion(given: string | null): string | null {
  return cleanOptional(given, limits.versionCharacters)
}

function branchName(given: string | null): string | null {
  const name = (given ?? '').trim()
  const short = name.startsWith(branchPrefix) ? name.slice(branchPrefix.length) : name
  return cleanOptional(short, limits.branchCharacters)
}

/** Scheme, two slashes and a host: the URL standard also finds a host in `https:evil`, people do not. */
const link = /^https?:\/\/[^/?#\\]/i

function runLink(given: string | null): string | null {
  const address = cleanOptional(given, limits.runUrlCharacters + 1)
  if (address === null || [...address].length > limits.runUrlCharacters) return null
  return link.test(address) && URL.canParse(address) ? withoutCredentials(address) : null
}

/** A user name and password in an address are the sender's secrets: they are removed. */
function withoutCredentials<T extends string | null>(address: T): T | string {
  return address === null
    ? address
    : address.trim().replace(/^([a-z][a-z0-9+.-]*:[/\\]{2,})[^/?#\\]*@/i, '$1')
}
