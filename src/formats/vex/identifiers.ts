import { cleanOptional } from '../json/clean.ts'
import type { JsonObject } from '../json/object.ts'
import { shortenedPurl } from '../purl/shortened-purl.ts'
import { present, textLimits } from './statement-fields.ts'

/** What binds a product to components; empty where the document gives neither. */
export type Identifiers = { purl?: string; cpe?: string }

/** Identifiers as written and cut, readable or not: that they are there decides. */
export function identifiersOf(written: { purl: string | null; cpe: string | null }): Identifiers {
  return present({
    purl: cleanOptional(
      written.purl && shortenedPurl(written.purl, textLimits.identifier),
      textLimits.identifier,
    ),
    cpe: cleanOptional(written.cpe, textLimits.identifier),
  })
}

/** The identifier that a free text is: a purl, a CPE, or neither. */
export function identifierIn(text: string): Identifiers {
  const identifier = text.trimStart()
  const start = identifier.slice(0, 4).toLowerCase()
  return identifiersOf({
    purl: start === 'pkg:' ? identifier : null,
    cpe: start === 'cpe:' ? identifier : null,
  })
}

/** The `purl` and `cpe` of an object; refuses those that are no string. */
export function readIdentifiers(entry: JsonObject | null): Identifiers {
  return identifiersOf({
    purl: entry?.optionalString('purl') ?? null,
    cpe: entry?.optionalString('cpe') ?? null,
  })
}

export function isBindable({ purl, cpe }: Identifiers): boolean {
  return purl !== undefined || cpe !== undefined
}
