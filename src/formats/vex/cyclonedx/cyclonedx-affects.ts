import type { VexStatement, VexTarget, VexVersionRange } from '../../../contract/vex/shapes.ts'
import { vexVersionStatuses } from '../../../contract/vex/words.ts'
import { cleanOptional } from '../../json/clean.ts'
import type { JsonObject } from '../../json/object.ts'
import { parseBomLink, type BomLink } from '../bom-link.ts'
import { CyclonedxReferences, type Referenced } from './cyclonedx-references.ts'
import { parseCpe } from '../../cpe.ts'
import { identifierIn, isBindable, type Identifiers } from '../identifiers.ts'
import { parsePurl } from '../../purl/purl.ts'
import { StatementTargets, type VexReading } from '../reading.ts'
import { versRange } from '../vers-range.ts'
import { present, textLimits } from '../statement-fields.ts'

const statuses = new Set<string>(vexVersionStatuses)

/** Resolves the `affects` of vulnerability entries against their document. */
export class AffectedReader {
  readonly #references: CyclonedxReferences
  readonly #reading: VexReading
  readonly #serialNumber: string
  readonly #version: unknown

  constructor(document: JsonObject, reading: VexReading) {
    this.#references = new CyclonedxReferences(document, reading.hints)
    this.#reading = reading
    this.#serialNumber = (document.lenientString('serialNumber') ?? '').toLowerCase()
    this.#version = document.get('version') ?? 1
  }

  read(entry: JsonObject): Pick<VexStatement, 'targets' | 'productLabel' | 'unboundReason'> {
    const targets = new StatementTargets(this.#reading, entry)
    const seen = new Set<string>()
    for (const affected of entry.objects('affects')) {
      const reference = affected.string('ref')
      const versions = this.#readVersions(affected)
      // A reference that is repeated without versions says nothing new.
      if (versions === null && seen.has(reference)) continue
      if (versions === null) seen.add(reference)
      this.#resolve(affected, versions === null ? {} : { versions }, targets)
    }
    return targets.fields()
  }

  /** In this order: a `bom-ref` of the document, a BOM-Link, the reference itself when it is a purl or CPE. */
  #resolve(affected: JsonObject, narrowed: Pick<VexTarget, 'versions'>, targets: StatementTargets): void {
    const reference = affected.string('ref')
    const link = parseBomLink(reference)
    const named = this.#find(reference, link)
    targets.name(named?.label ?? reference)
    if (named) {
      if (!isBindable(named.identifiers)) targets.miss('no_identifier')
      else
        for (const identifiers of [named.identifiers, ...named.others])
          targets.add({
            kind: named.kind,
            ...identifiers,
            ...ofItsVersion(named, identifiers),
            ...inOrderOf(identifiers, narrowed),
          })
      return
    }
    const identifiers = identifierIn(link?.ref ?? reference)
    const target = { ...identifiers, ...inOrderOf(identifiers, narrowed) }
    if (link) targets.add({ kind: 'bom_link', bomLink: link, ...target })
    else if (isBindable(identifiers)) targets.add({ kind: 'component', ...target })
    else {
      targets.miss('unknown_reference')
      this.#reading.hints.note('unknown_reference', affected.at('ref'))
    }
  }

  /** A BOM-Link to the document that contains it is a reference like any other. */
  #find(reference: string, link: BomLink | null): Referenced | undefined {
    const named = this.#references.find(reference)
    if (named || !link) return named
    const isOwn = this.#serialNumber === `urn:uuid:${link.serialNumber}` && this.#version === link.version
    return isOwn ? this.#references.find(link.ref) : undefined
  }

  /** Null when the entry does not narrow the verdict; empty when no version of it can be read. */
  #readVersions(affected: JsonObject): VexVersionRange[] | null {
    if (affected.optionalArray('versions').length === 0) return null
    const versions: VexVersionRange[] = []
    for (const entry of affected.lenientObjects('versions')) {
      const version = wholeText(entry.lenientString('version'), textLimits.version)
      const range = wholeText(entry.lenientString('range'), textLimits.text)
      const isRead = range === null || versRange(range, 'generic') !== null
      if (!isRead) this.#reading.hints.note('unreadable_version', entry.place)
      if (version !== null || range !== null) {
        versions.push({ ...present({ version, range }), status: this.#readStatus(entry) })
      }
    }
    if (versions.length < affected.optionalArray('versions').length) {
      this.#reading.hints.note('unreadable_version', affected.at('versions'))
    }
    return versions
  }

  /** `affected` where the entry does not say (CycloneDX, `affectedStatus`). */
  #readStatus(entry: JsonObject): VexVersionRange['status'] {
    const status = entry.get('status') ?? 'affected'
    if (typeof status === 'string' && statuses.has(status)) return status as VexVersionRange['status']
    this.#reading.hints.note('unknown_version_status', entry.at('status'))
    return 'unknown'
  }
}

/** A component that is named by a CPE alone, which leaves open the version that is stated beside it, is that version. */
function ofItsVersion(
  { kind, version }: Referenced,
  { purl, cpe = '' }: Identifiers,
): Pick<VexTarget, 'versions'> {
  const isOpen = purl === undefined && parseCpe(cpe)?.version.kind === 'any'
  if (kind === 'product' || version === '' || !isOpen) return {}
  return { versions: [{ version, status: 'affected' }] }
}

/** Ranges in signs or words, which the specification does not know, as what they say of versions of this type; one that cannot be read stays, and holds for none. */
function inOrderOf(
  { purl = '' }: Identifiers,
  { versions }: Pick<VexTarget, 'versions'>,
): Pick<VexTarget, 'versions'> {
  if (versions?.some(({ range }) => range !== undefined) !== true) return versions ? { versions } : {}
  const purlType = parsePurl(purl)?.type ?? 'generic'
  return {
    versions: versions.map((each) =>
      each.range === undefined ? each : { ...each, range: versRange(each.range, purlType) ?? each.range },
    ),
  }
}

/** A version or range that is cut would mean another one: null when it is too long. */
function wholeText(text: string | null, limit: number): string | null {
  const clean = cleanOptional(text, limit + 1)
  return clean !== null && [...clean].length > limit ? null : clean
}
