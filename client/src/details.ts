/** Details sent with a file; null is not sent (docs/public-api.md, "Request headers"). */
export type Details = {
  productVersion: string | null
  source: string | null
  commit: string | null
  branch: string | null
  repository: string | null
  runUrl: string | null
}

/** A CI system's details about its run. A branch may be a full ref; a tag always is (`refs/tags/v1`). */
export type CiDetails = Omit<Details, 'productVersion'>

/** Values of `X-Service-Source`. */
export const sources = ['hosted_ci', 'pipeline_ci', 'sbom_tracker', 'sbom_hub', 'api'] as const

/** The headers of the public interface (docs/public-api.md), with its limits in characters. */
const headers = {
  productVersion: ['X-Service-Version', 100],
  source: ['X-Service-Source', 20],
  commit: ['X-Service-Commit', 80],
  branch: ['X-Service-Branch', 300],
  repository: ['X-Service-Repo', 300],
  runUrl: ['X-Service-Run-Url', 2000],
} as const satisfies Record<keyof Details, [string, number]>

type DetailName = keyof Details

/**
 * The details as request headers. Text is cut to the interface's limits; a run link is dropped if it is too long or not a web address.
 * Values are sent as UTF-8 bytes, which the service decodes.
 */
export function detailHeaders(details: Details, names: readonly DetailName[]): Record<string, string> {
  const pairs: [string, string][] = []
  for (const name of names) {
    const [header, maxCharacters] = headers[name]
    const value =
      name === 'runUrl' ? webAddress(details.runUrl, maxCharacters) : cut(details[name], maxCharacters)
    if (value !== '') pairs.push([header, Buffer.from(value, 'utf8').toString('latin1')])
  }
  return Object.fromEntries(pairs)
}

function cut(text: string | null, maxCharacters: number): string {
  return [...clean(text)].slice(0, maxCharacters).join('').trim()
}

function webAddress(text: string | null, maxCharacters: number): string {
  const address = clean(text)
  return /^https?:\/\//i.test(address) && [...address].length <= maxCharacters ? address : ''
}

function clean(text: string | null): string {
  return (text ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()
}
