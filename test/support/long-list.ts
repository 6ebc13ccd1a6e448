import { ServiceError } from '../../src/contract/errors.ts'
import { ListInParts } from '../../src/formats/json/list-in-parts.ts'
import { parseJson, readJson } from '../../src/formats/json/parse.ts'

const filler = 'é'.repeat(60_000)
export const longEntries = Array.from({ length: 12 }, (_, at) => `{"name":"n${at}","text":"${filler}"}`)

/** A CycloneDX document with a list long enough to be read in parts. */
export function longDocument(list = longEntries.join(), after = ',"version":1}'): string {
  return `{"bomFormat":"CycloneDX","components":[${list}]${after}`
}

/** The result of reading a body in parts, with the list as an array; and for each reading, whether it was done in parts. */
export function readInParts(body: string | Uint8Array): { value: unknown; parts: boolean[] } {
  const parts: boolean[] = []
  const value = readJson(Buffer.from(body), 'sbom', (read) => {
    const { components } = read as { components?: unknown }
    parts.push(components instanceof ListInParts)
    return components instanceof ListInParts ? { ...(read as object), components: [...components] } : read
  })
  return { value, parts }
}

type Outcome = { value: unknown } | { refused: string; detail: string | undefined }

export const outcomeWhole = (body: string | Uint8Array) =>
  outcomeOf(() => parseJson(Buffer.from(body), 'sbom'))
export const outcomeInParts = (body: string | Uint8Array) => outcomeOf(() => readInParts(body).value)

function outcomeOf(read: () => unknown): Outcome {
  try {
    return { value: read() }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { refused: error.code, detail: error.detail }
  }
}
