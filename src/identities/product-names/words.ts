import { distributionOf } from '../distributions/releases.ts'
import { packageKey } from '../../formats/purl/package-key.ts'
import { tradeWords } from './trade-words.ts'

/** The ecosystem of products that components and records know only by name. */
export const nameEcosystem = 'product name'

/** Longer texts are sentences, and so are those of more words. */
const maxLength = 200
const maxWords = 8

/** The words of a name, as they are compared: `Apache-Tomcat™` is `apache tomcat`, `Node.js` is `nodejs`. [] for what is no name. */
export function wordsOf(text: string): string[] {
  if (text.length > maxLength) return []
  const plain = text
    .replaceAll(/[™®©]/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=[\p{L}\p{N}])\.js(?![\p{L}\p{N}])/gu, 'js')
  const words = plain.match(/[\p{L}\p{M}\p{N}+#]+/gu) ?? []
  return words.length > maxWords ? [] : words
}

/** What may follow the name of a company or project without being part of it. */
const legalForms =
  'inc incorporated corp corporation co company llc llp lp ltd limited plc pty pte pvt private gmbh mbh ag kg ug gbr ev se sa sas sarl srl spa ' +
  'bv nv ab oy oyj asa aps kk sro doo'
const projectWords =
  'project projects foundation software team community developers development contributors maintainers authors group global org com net io'
const addedToVendors = new Set(`${legalForms} ${projectWords}`.split(' '))

/** The vendor that the words mean: `The curl project` is `curl`, `Acme Co., Ltd. (security@acme.example)` is `acme`. */
export function vendorWords(text: string): string[] {
  if (text.length > maxLength) return []
  const stated = text
    .replaceAll(/\([^()]*\)/g, ' ')
    // `S.p.A.`, `e.V.`
    .replaceAll(/(?<![\p{L}\p{N}.])(?:\p{L}\.){2,}/gu, (letters) => `${letters.replaceAll('.', '')} `)
  const words = wordsOf(stated)
  const start = words[0] === 'the' && words.length > 1 ? 1 : 0
  let end = words.length
  while (end > start + 1 && addedToVendors.has(words[end - 1] ?? '')) end -= 1
  return words.slice(start, end)
}

/** Placeholders for a vendor. */
const nobodies = new Set(
  ',n a,na,none,null,unknown,unspecified,undefined,noassertion,various,multiple,all,any,other,others,anonymous,independent,vendor,open source'.split(
    ',',
  ),
)

export function isNobody(vendor: readonly string[]): boolean {
  return nobodies.has(vendor.join(' '))
}

/**
 * Whether a name tells one product from others: not by words of the trade alone (`agent`, `core api`), by a number, or by two letters. A distribution
 * (`Fedora 38`) is not a product: statements about it are about one of its packages.
 */
export function isTelling(name: readonly string[]): boolean {
  const last = name.findLastIndex((word) => /\p{L}/u.test(word))
  const unnumbered = name.slice(0, last + 1)
  return (
    name.join('').length >= 3 &&
    unnumbered.some((word) => !tradeWords.has(word)) &&
    distributionOf(unnumbered.join(' ')) === null
  )
}

/** The rest of a product's name behind that of its vendor; all of it where it does not begin so. */
export function withoutVendor(product: readonly string[], vendor: readonly string[]): readonly string[] {
  const isFirst = vendor.every((word, place) => product[place] === word)
  return isFirst ? product.slice(vendor.length) : product
}

/** The package key of a product whose name says who makes it. */
export function keyOfName(name: readonly string[]): string | undefined {
  return packageKey(nameEcosystem, name.join(' '))
}

/** The package key of a product identified by vendor and name; no word has a colon. */
export function keyOfVendorAndName(vendor: readonly string[], name: readonly string[]): string | undefined {
  return packageKey(nameEcosystem, `${vendor.join(' ')}:${name.join(' ')}`)
}
