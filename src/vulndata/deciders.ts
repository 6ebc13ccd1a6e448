import { sources } from './sources/all.ts'
import { sourceName } from '../records/ecosystem-source.ts'
import type { Source } from './sources/source.ts'

/** The source that has a row for each of its ecosystems, named after it: `osv:npm`. */
export const inParts: Source = onlyOne(sources.filter(({ hasParts }) => hasParts === true))

/** By ecosystem the sources with one row that decide about its components, in the order of the list. */
export const decidersByEcosystem: ReadonlyMap<string, readonly string[]> = byEcosystem()

/** The rows of `data_source` that decide about components of an ecosystem, whether they are there or not. */
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
