import { sources } from './sources/all.ts'
import { sourceName } from '../records/ecosystem-source.ts'
import type { Source } from './sources/source.ts'

/** The source with a row for each of its ecosystems, such as `osv:npm`. */
export const inParts: Source = onlyOne(sources.filter(({ hasParts }) => hasParts === true))

/** The sources with a single row that decide about an ecosystem's components, by ecosystem, in the order of the list. */
export const decidersByEcosystem: ReadonlyMap<string, readonly string[]> = byEcosystem()

/** The names of the rows of `data_source` that decide about components of an ecosystem, whether or not the rows exist. */
export function decidersOf(ecosystem: string): readonly string[] {
  return decidersByEcosystem.get(ecosystem) ?? [sourceName(ecosystem)]
}

function byEcosystem(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { id, decides = [] } of sources.filter((source) => source !== inParts))
    for (const ecosystem of decides) found.set(ecosystem, [...(found.get(ecosystem) ?? []), id])
  return found
}

function onlyOne(found: readonly Source[]): Source {
  const [source] = found
  if (source === undefined || found.length > 1)
    throw new Error(`expected one source in parts, found ${found.length}`)
  return source
}
