import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { concreteText } from '../../formats/cpe.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import {
  fitOfCarrier,
  readCarrier,
  type BindingProduct,
  type StatedCarrier,
} from '../../vex/binding/bind-carrier.ts'
import {
  readComponent,
  type BindingComponent,
  type BindingTarget,
  type StatedComponent,
} from '../../vex/binding/bind-target.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'

/** As an SBOM was read when it was stored. */
export type StatedMain = Partial<
  Pick<SbomComponent, 'purl' | 'otherPurls' | 'cpe' | 'otherCpes' | 'concludedCpes' | 'version'>
>

type StatedProduct = {
  version_id: string | null
  version_name: string | null
  main: StatedMain | null
  operating_system: string | null
}

export type ProductOfVersion = BindingProduct & { versionId: string | null }

/**
 * What statements are compared with: the names of the versions and main components of these SBOMs `s`, and which of the carriers are
 * components of them.
 */
export async function selectBindingProducts(
  db: Db,
  isMeant: RawBuilder<boolean>,
  carriers: readonly StatedCarrier[],
): Promise<ProductOfVersion[]> {
  const { rows } = await sql<StatedProduct & { sbom_id: string }>`
    select s.id as sbom_id, s.version_id, p.name as version_name, s.main_component as main,
      s.operating_system ->> 'name' as operating_system
    from sbom s
    left join product_version p on p.family_id = s.family_id and p.id = s.version_id
    where ${isMeant}`.execute(db)
  const distinct = [...new Map(carriers.map((carrier) => [JSON.stringify(carrier), carrier])).values()]
  const products: ProductOfVersion[] = []
  for (const row of rows) {
    const product = toProduct(row)
    const others = distinct.filter((carrier) => fitOfCarrier(carrier, product) === 'other_product')
    const parts = others.length === 0 ? [] : await selectParts(db, row.sbom_id, others)
    products.push({ ...product, parts })
  }
  return products
}

export const noProduct: BindingProduct = { main: null, version: null }

function toProduct({
  main: stated,
  version_id: versionId,
  version_name,
  operating_system: operatingSystem,
}: StatedProduct): ProductOfVersion {
  const version = stated?.version ?? null
  const main = readComponent({ ...namesOfMain(stated ?? {}), version: version ?? version_name })
  const isNamed = main.purls.length > 0 || main.cpes.length > 0
  return { versionId, main: isNamed ? main : null, version: version_name ?? version, operatingSystem }
}

function namesOfMain({
  purl = null,
  cpe = null,
  otherPurls = [],
  otherCpes = [],
  concludedCpes = [],
}: StatedMain): Omit<StatedComponent, 'version'> {
  return { purl, cpe, other_names: [...otherPurls, ...otherCpes], concluded_cpes: concludedCpes }
}

async function selectParts(
  db: Db,
  sbomId: string,
  carriers: readonly StatedCarrier[],
): Promise<BindingComponent[]> {
  const names = new Set(carriers.flatMap((carrier) => namesInSboms(readCarrier(carrier))))
  const { rows } = await sql<StatedComponent>`
    select distinct c.purl, c.cpe, c.version, c.other_names, c.concluded_cpes
    from sbom s
    cross join ${componentsOfSbom('s')}
    where s.id = ${sbomId} and lower(c.name) = any(${columnOf([...names], 'text', (name) => name)})`.execute(
    db,
  )
  return rows.map(readComponent)
}

/** The SBOMs' names for the component of a purl or CPE, in lower case. */
export function namesInSboms({ purl, cpe }: Pick<BindingTarget, 'purl' | 'cpe'>): string[] {
  const product = cpe === null ? null : concreteText(cpe.product)
  const names = product === null ? [] : [product]
  if (purl !== null) {
    const { namespace, name } = purl
    names.push(name, ...['-', '_', '.'].map((mark) => name.replaceAll(/[-_.]/g, mark)))
    if (namespace !== null)
      names.push(`${namespace}/${name}`, `${namespace}:${name}`, `@${namespace}/${name}`)
  }
  return names.map((name) => name.toLowerCase())
}
