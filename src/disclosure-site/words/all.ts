import type { FastifyRequest } from 'fastify'
import { publicLanguages, type PublicLanguage } from '../../contract/disclosure/shapes.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { nb } from './nb.ts'
import type { Words } from './words.ts'

export const wordsIn: Record<PublicLanguage, Words> = { en, nb, de }

/** Tags of languages that are read as one of ours: Norwegian has several. */
const alsoCalled: Record<string, PublicLanguage> = { no: 'nb', nn: 'nb' }
const maxRanges = 20

/** The language asked for in the address, else the one the browser prefers, else the company's first; of those it offers. */
export function chosenLanguage(request: FastifyRequest, offered: readonly PublicLanguage[]): PublicLanguage {
  const { lang } = request.query as { lang?: unknown }
  const asked = typeof lang === 'string' ? [lang] : []
  const wanted = [...asked, ...preferred(request.headers['accept-language'] ?? '')]
  const found = wanted
    .map(languageOf)
    .find((language) => language !== undefined && offered.includes(language))
  return found ?? offered[0] ?? 'en'
}

function languageOf(tag: string): PublicLanguage | undefined {
  const primary = tag.trim().toLowerCase().split('-', 1)[0] ?? ''
  return publicLanguages.find((language) => language === primary) ?? alsoCalled[primary]
}

/** RFC 9110, 12.5.4: the ranges with the highest weight first; equal ones as written. */
function preferred(header: string): string[] {
  return header
    .split(',', maxRanges)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';')
      const weight = parameters.map((text) => /^\s*q=([\d.]{1,5})\s*$/i.exec(text)?.[1]).find(Boolean)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
    .map(({ tag }) => tag)
}
