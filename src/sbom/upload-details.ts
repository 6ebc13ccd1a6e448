import { limits } from '../contract/limits.ts'
import { uploadSources, type UploadSource } from '../contract/sbom.ts'
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
export type UploadDetails = Omit<GivenDetails, 'source'> & { source: UploadSource | 'application' }

const branchPrefix = 'refs/heads/'

/**
 * Cleans what a sender says about an upload (interface, "Request headers"; decisions, "header values"): over-long texts are
 * cut, never refused; a run link that is too long or neither http nor https is dropped; an unknown source is `api`.
 */
export function uploadDetails(given: GivenDetails): UploadDetails {
  return {
    productVersion: productVersion(given.productVersion),
    source: uploadSource(given.source),
    commit: cleanOptional(given.commit, limits.commitCharacters),
    branch: branchName(given.branch),
    repository: cleanOptional(given.repository, limits.repositoryCharacters),
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

function runLink(given: string | null): string | null {
  const link = cleanOptional(given, limits.runUrlCharacters + 1)
  if (link === null || [...link].length > limits.runUrlCharacters || !URL.canParse(link)) return null
  return ['http:', 'https:'].includes(new URL(link).protocol) ? link : null
}
