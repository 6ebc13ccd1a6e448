import { parsePurl } from '../../formats/purl/purl.ts'
import { fieldOf, listField, textField } from '../../source-files/fields.ts'
import { RefusedData } from '../../source-files/refused-data.ts'

/** A release of Red Hat Enterprise Linux; `minor` (`9.0`) only where it has fixes of its own (extended support). */
export type VexProduct = { label: string; release: string; minor: string | null }

/** A package as Red Hat names it: a source, or what is built from one. */
export type VexPackage = { name: string; module: string | null; version: string | null }

/** What the ids of products in a file mean: `BaseOS-9.0.0.Z.EUS:samba-0:4.15.5-111.el9_0.src`, `red_hat_enterprise_linux_9:samba`. */
export type ProductTree = (id: string) => { product: VexProduct; packaged: VexPackage } | undefined

const maxText = 300
const maxDepth = 20
/** The largest public files, on kernels and browsers, have some ten thousand. */
const maxProducts = 500_000

type Named = { label: string; purl: string | null; cpe: string | null }
type Relation = { part: string; of: string }

/** Reads the products of a file and how packages belong to them. Refuses (`RefusedData`) what is deeper or longer than any real one. */
export function readProductTree(document: unknown): ProductTree {
  const tree = fieldOf(document, 'product_tree')
  const named = new Map<string, Named>()
  addBranches(named, tree, 0)
  const relations = new Map<string, Relation>()
  for (const relation of listField(tree, 'relationships')) {
    const id = rawText(fieldOf(relation, 'full_product_name'), 'product_id')
    const part = rawText(relation, 'product_reference')
    const of = rawText(relation, 'relates_to_product_reference')
    if (id !== null && part !== null && of !== null) relations.set(id, { part, of })
    if (relations.size > maxProducts) throw new RefusedData(`more than ${maxProducts} products`)
  }
  return (id) => resolve(id, { named, relations })
}

/** Ids are compared and never shown. */
function rawText(value: unknown, key: string): string | null {
  const text = fieldOf(value, key)
  return typeof text === 'string' && text.length <= 1_000 ? text : null
}

function addBranches(named: Map<string, Named>, branch: unknown, depth: number): void {
  if (depth > maxDepth) throw new RefusedData(`a tree of products of more than ${maxDepth} levels`)
  const product = fieldOf(branch, 'product')
  const id = rawText(product, 'product_id')
  if (id !== null) {
    const helper = fieldOf(product, 'product_identification_helper')
    const label = textField(product, 'name', maxText) ?? id
    named.set(id, { label, purl: rawText(helper, 'purl'), cpe: rawText(helper, 'cpe') })
  }
  if (named.size > maxProducts) throw new RefusedData(`more than ${maxProducts} products`)
  for (const inner of listField(branch, 'branches')) addBranches(named, inner, depth + 1)
}

type Known = { named: ReadonlyMap<string, Named>; relations: ReadonlyMap<string, Relation> }

/** A package belongs to a product, or to a module that does. */
function resolve(id: string, { named, relations }: Known): ReturnType<ProductTree> {
  const relation = relations.get(id)
  if (relation === undefined) return undefined
  const module = relations.get(relation.of)
  const product = productOf(named.get(module?.of ?? relation.of))
  if (product === undefined) return undefined
  const packaged = packageOf(relation.part, named.get(relation.part)?.purl ?? null)
  if (packaged === undefined) return undefined
  return { product, packaged: { ...packaged, module: packaged.module ?? streamIn(module?.part ?? '') } }
}

/** The system itself, and its minor releases with fixes of their own; layered products say nothing of what is installed with the system. */
const systemCpe =
  /^cpe:\/[ao]:redhat:(?:enterprise_linux|((?:rhel|enterprise_linux)_(?:eus|aus|e4s|tus|eus_long_life))|rhel_els):(\d{1,2})(?:\.(\d{1,2}))?(?::|$)/

function productOf(named: Named | undefined): VexProduct | undefined {
  const [, extended, release, minor] = systemCpe.exec(named?.cpe ?? '') ?? []
  if (named === undefined || release === undefined) return undefined
  const isExtended = extended !== undefined && minor !== undefined
  return { label: named.label, release, minor: isExtended ? `${release}.${minor}` : null }
}

/** `samba-0:4.15.5-111.el9_0.src`: with the epoch, which purls of older files leave out. */
const buildForm = /^(.{1,200}?)-(\d{1,9}):([^-:]{1,200}-[^-:]{1,200})\.([a-z0-9_]{1,20})(?:::|$)/
/** `nodejs:18/nodejs` */
const inModule = /^([\w.+-]{1,80}:[\w.+-]{1,80})\/([\w.+-]{1,200})$/

function packageOf(id: string, purlText: string | null): VexPackage | undefined {
  const purl = parsePurl(purlText ?? '')
  if (purl !== undefined && purl.type !== 'rpm') return undefined
  const module = streamIn(purl?.qualifiers.get('rpmmod') ?? '')
  return buildIn(id, module) ?? namedBy(id, purl?.name ?? id, module)
}

function buildIn(id: string, module: string | null): VexPackage | undefined {
  const [, name, epoch, version] = buildForm.exec(id) ?? []
  if (name === undefined || version === undefined) return undefined
  return { name, module, version: epoch === '0' ? version : `${epoch ?? ''}:${version}` }
}

/** There is no build of what is not fixed. */
function namedBy(id: string, name: string, module: string | null): VexPackage | undefined {
  const [, stream, inside = name] = inModule.exec(id) ?? []
  if (!/^[\w.+-]{1,200}$/.test(inside)) return undefined
  return { name: inside, module: module ?? stream ?? null, version: null }
}

/** `nodejs:18` of `nodejs:18:8090020240101:rhel8`. */
function streamIn(text: string): string | null {
  return /^([\w.+-]{1,80}:[\w.+-]{1,80})(?::|$)/.exec(text)?.[1] ?? null
}
