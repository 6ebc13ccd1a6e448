import { vendorStatuses, type VendorStatus } from '../../contract/vulnerabilities/vendor-statuses.ts'
import { fieldOf, listField, textField, timeOf } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { isCveId } from '../cve.ts'
import type { RedHatStatement } from '../red-hat-word.ts'
import { readProductTree, type ProductTree } from './product-tree.ts'

export const vexPrefix = 'RHVEX:'

/** What is read of a file: a CVE, and what Red Hat says of it for packages of its system. */
export type RedHatVex = {
  cveId: string
  title: string
  modifiedAt: Date
  publishedAt: Date | null
  isDeleted: boolean
  statements: RedHatStatement[]
}

const maxText = 300
/** Of one file; kernels have some thousand. What is beyond is left out. */
const maxPackages = 20_000
const maxStatements = 2_000

/** A file of Red Hat's folder of VEX; its advisories have another category. */
export function isRedHatVex(value: unknown): boolean {
  const document = fieldOf(value, 'document')
  const publisher = textField(fieldOf(document, 'publisher'), 'namespace', maxText) ?? ''
  return (
    fieldOf(document, 'category') === 'csaf_vex' && /^https:\/\/(?:www\.)?redhat\.com\/?$/.test(publisher)
  )
}

/** Refuses (`RefusedData`) what is no such file, and a tree of products beyond every real size. */
export function readVex(value: unknown, name: string): RedHatVex {
  if (!isRedHatVex(value))
    throw new RefusedData(`${name}: expected VEX of Red Hat, found JSON of another kind`)
  const document = fieldOf(value, 'document')
  const tracking = fieldOf(document, 'tracking')
  const cveId = textField(tracking, 'id', 40)
  if (!isCveId(cveId)) throw new RefusedData(`${name}: expected a CVE as the id of the file`)
  const modifiedAt = timeOf(textField(tracking, 'current_release_date', 40))
  if (modifiedAt === null) throw new RefusedData(`${name}: expected a time of its release`)
  return {
    cveId,
    title: textField(document, 'title', maxText) ?? '',
    modifiedAt,
    publishedAt: timeOf(textField(tracking, 'initial_release_date', 40)),
    isDeleted: textField(tracking, 'status', 40) === 'deleted',
    statements: readStatements(value, cveId),
  }
}

/** The same is said of many packages, and of each for every architecture: a statement is kept once, with their names. */
function readStatements(value: unknown, cveId: string): RedHatStatement[] {
  const productTree = readProductTree(value)
  const kept: Kept = new Map()
  let count = 0
  for (const vulnerability of listField(value, 'vulnerabilities')) {
    // a file is about one CVE
    if (textField(vulnerability, 'cve', 40) !== cveId) continue
    for (const { name, statement } of statementsOf(vulnerability, productTree)) {
      const key = JSON.stringify(statement)
      const same = kept.get(key) ?? { statement, packages: new Set<string>() }
      if (same.packages.has(name)) continue
      if (count >= maxPackages || kept.size >= maxStatements) return finished(kept)
      count += 1
      same.packages.add(name)
      kept.set(key, same)
    }
  }
  return finished(kept)
}

type Kept = Map<string, { statement: Omit<RedHatStatement, 'packages'>; packages: Set<string> }>

function finished(kept: Kept): RedHatStatement[] {
  return [...kept.values()].map(({ statement, packages }) => ({
    ...statement,
    packages: [...packages].sort(),
  }))
}

function* statementsOf(
  vulnerability: unknown,
  productTree: ProductTree,
): Generator<{ name: string; statement: Omit<RedHatStatement, 'packages'> }> {
  const beside = readBeside(vulnerability)
  const status = fieldOf(vulnerability, 'product_status')
  for (const said of vendorStatuses)
    for (const id of idsIn(status, said)) {
      const found = productTree(id)
      if (found === undefined || /-debug(?:info|source)$/.test(found.packaged.name)) continue
      const { product, packaged } = found
      yield {
        name: packaged.name,
        statement: { ...product, module: packaged.module, ...partsOf(said, packaged.version, beside(id)) },
      }
    }
}

function partsOf(status: VendorStatus, version: string | null, beside: Beside) {
  const { justification, remedy, advisory, impact } = beside
  return {
    status,
    justification: status === 'known_not_affected' ? justification : null,
    // what is fixed is updated, and says no more than its advisory
    remedy: status === 'fixed' ? null : remedy,
    fixedIn: status === 'fixed' ? version : null,
    advisory: status === 'fixed' ? advisory : null,
    impact,
  }
}

function idsIn(value: unknown, key: string): string[] {
  return listField(value, key).filter((id) => typeof id === 'string')
}

type Beside = {
  justification: string | null
  remedy: string | null
  advisory: string | null
  impact: string | null
}

/** What is said of a product elsewhere than in its status, by its id. */
function readBeside(vulnerability: unknown): (id: string) => Beside {
  const justifications = byProduct(listField(vulnerability, 'flags'), (flag) => textField(flag, 'label', 80))
  const impacts = byProduct(ofCategory(vulnerability, 'threats', ['impact']), (threat) =>
    textField(threat, 'details', 80),
  )
  const remedies = byProduct(
    ofCategory(vulnerability, 'remediations', ['none_available', 'no_fix_planned', 'fix_planned']),
    (remedy) => textField(remedy, 'details', maxText),
  )
  const advisories = byProduct(ofCategory(vulnerability, 'remediations', ['vendor_fix']), (fix) =>
    advisoryIn(textField(fix, 'url', maxText) ?? ''),
  )
  return (id) => ({
    justification: justifications.get(id) ?? null,
    remedy: remedies.get(id) ?? null,
    advisory: advisories.get(id) ?? null,
    impact: impacts.get(id) ?? null,
  })
}

function ofCategory(vulnerability: unknown, key: string, categories: readonly string[]): unknown[] {
  return listField(vulnerability, key).filter((entry) =>
    categories.includes(textField(entry, 'category', 40) ?? ''),
  )
}

function byProduct(
  entries: readonly unknown[],
  read: (entry: unknown) => string | null,
): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of entries) {
    const text = read(entry)
    if (text !== null) for (const id of idsIn(entry, 'product_ids')) found.set(id, text)
  }
  return found
}

function advisoryIn(url: string): string | null {
  return /\/errata\/(RH[SBE]A-\d{4}:\d{1,7})$/.exec(url)?.[1] ?? null
}
