import type { VexVersionRange } from '../../../contract/vex/shapes.ts'
import { concreteText, parseCpe } from '../../cpe.ts'
import { cleanOptional } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import { parsePurl } from '../../purl/purl.ts'
import { statedVersion } from '../../stated-version.ts'
import type { Identifiers } from '../identifiers.ts'
import { textLimits } from '../statement-fields.ts'
import { versRange } from '../vers-range.ts'

/** A branch that says which version, or which range of versions, the products in it are (CSAF 2.0, 3.1.2.2). */
export type VersionBranch = { isRange: boolean; name: string }

/** Null for a branch that says something else. */
export function readVersionBranch(branch: JsonObject): VersionBranch | null {
  const category = branch.lenientString('category')
  const isRange = category === 'product_version_range'
  if (!isRange && category !== 'product_version') return null
  const name = cleanOptional(branch.lenientString('name'), textLimits.text + 1)
  return name === null ? null : { isRange, name }
}

/**
 * The versions that a product means by its branch, where its own identifiers leave them open; null where they do not, or the branch leaves
 * them open, too. Empty where it narrows them in words that cannot be read: a verdict on some versions is none on the others.
 */
export function versionsMeant(
  identifiers: Identifiers,
  branch: VersionBranch | null,
): VexVersionRange[] | null {
  const named = branch === null ? null : withoutVersion(identifiers)
  if (branch === null || named === null) return null
  const text = branch.isRange ? branch.name : versionIn(branch.name, named.name)
  if (text === null || anyVersion.test(text)) return null
  return branch.isRange || statedVersion(text) === '' ? rangesOf(text, named.purlType) : versionsOf(text)
}

/** What identifiers name that leave the version open; null where they do not. */
function withoutVersion({ purl = '', cpe = '' }: Identifiers): { name: string; purlType: string } | null {
  const ofPurl = parsePurl(purl)
  if (ofPurl !== undefined)
    return ofPurl.version === null ? { name: ofPurl.name, purlType: ofPurl.type } : null
  const ofCpe = parseCpe(cpe)
  if (ofCpe?.version.kind !== 'any') return null
  return { name: concreteText(ofCpe.product) ?? '', purlType: 'generic' }
}

/** Also what is written where no version is known. */
const anyVersion =
  /^(?:(?:vers:[^/]*\/)?\*|-|(?:all|any|every)(?: versions?)?|n\/a|none|unknown|unspecified|latest)$/i

/**
 * Red Hat's branches are called by the package alone (`gnutls`, `nodejs.src::nodejs:18`), others by both: null where only what belongs to a name is
 * behind it.
 */
function versionIn(name: string, packageName: string): string | null {
  if (packageName === '') return name
  const word = new RegExp(String.raw`(?:^|[/: ])${RegExp.escape(packageName)}(?![\p{L}\p{N}])`, 'iu')
  const found = word.exec(name)
  if (found === null) return name
  const behind = name.slice(found.index + found[0].length)
  const isName = /^(?:$|[./]|[-_](?!v?\d)|:(?!v?\d[^:/]*$))/i.test(behind)
  return isName
    ? null
    : (/^[-_@,(: ]*(?:(?:version|release)[.: ]+)?(v?\d.*?)\)?$/iu.exec(behind)?.[1] ?? behind.trim())
}

function versionsOf(version: string): VexVersionRange[] {
  if (version.length > textLimits.version) return []
  const bare = version.replace(/^(?:v|version|release)[. ]?(?=\d)/i, '')
  return [...new Set([version, bare])].map((each) => ({ version: each, status: 'affected' }))
}

function rangesOf(text: string, purlType: string): VexVersionRange[] {
  const range = text.length > textLimits.text ? null : versRange(text, purlType)
  return range === null ? [] : [{ range, status: 'affected' }]
}
