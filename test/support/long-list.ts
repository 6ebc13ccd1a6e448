import { ServiceError } from '../../src/contract/errors.ts'
import { ListInParts } from '../../src/formats/json/list-in-parts.ts'
import { parseJson, readJson } from '../../src/formats/json/parse.ts'

const filler = 'é'.repeat(60_000)
export const longEntries = Array.from({ length: 12 }, (_, at) => `{"name":"n${at}","text":"${filler}"}`)

/** A CycloneDX document whose list is long enough to be read in parts. */
export function longDocument(list = longEntries.join(), after = ',"version":1}'): string {
  return `{"bomFormat":"CycloneDX","components":[${list}]${after}`
}

/** What reading in parts makes of a body, with the list as an array; and whether it was read so, each time it was read. */
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
