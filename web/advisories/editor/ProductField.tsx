import { Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, useState, type ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { AdvisoryProducts, DraftProduct } from '#contract/advisories/shapes.ts'
import { Unread } from '../../kit/page/Loaded.tsx'
import { advisoryProductsQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { FieldProblem } from './FieldProblem.tsx'
import { fieldId } from './fields.ts'
import { newUuid } from './new-uuid.ts'
import { pageOf, VersionPages } from './VersionPages.tsx'
import { RowsField } from './RowsField.tsx'
import { LineField } from './TextField.tsx'

type Props = { products: readonly DraftProduct[]; onChange: (products: DraftProduct[]) => void }
type Families = AdvisoryProducts['families']

const pageRows = 20

/** The product versions and version ranges the advisory is about, over all families, with the identifiers tools use. */
export const ProductField = memo(function ProductField({ products, onChange }: Props): ReactNode {
  const { slug } = useWorkspace()
  const asked = useQuery(advisoryProductsQuery(slug))
  const families = asked.data ?? []
  const [wanted, setFrom] = useState(0)
  const pages = { size: pageRows, total: products.length }
  const from = pageOf(wanted, pages)
  const add = (more: DraftProduct[]) => {
    onChange([...products, ...more])
    setFrom(pageOf(Infinity, { size: pageRows, total: products.length + more.length }))
  }
  return (
    <Stack gap={6}>
      <Text fw={600} size="sm" id={fieldId('products')} tabIndex={-1}>
        Product versions
      </Text>
      <Text size="xs" c="dimmed">
        Every version that the advisory says something about. Scanners find a product by its package URL or
        CPE.
      </Text>
      <FieldProblem field="products" />
      <Unread query={asked} />
      <Group gap="xs" align="flex-start">
        <AddVersion families={families} products={products} onAdd={add} />
        <AddRange families={families} onAdd={add} />
      </Group>
      {products.length === 0 ? null : (
        <ProductRows
          products={products}
          shown={products.slice(from, from + pageRows)}
          from={from}
          onChange={onChange}
        />
      )}
      <VersionPages from={from} {...pages} onFrom={setFrom} />
    </Stack>
  )
})

type AddProps = { families: Families; onAdd: (products: DraftProduct[]) => void }

/** Adds one version, or all of a family that are missing. */
function AddVersion({
  families,
  products,
  onAdd,
}: AddProps & { products: readonly DraftProduct[] }): ReactNode {
  const picked = new Set(products.map(({ versionId }) => versionId))
  const left = families.map((family) => ({
    ...family,
    versions: family.versions.filter(({ id }) => !picked.has(id)),
  }))
  const groups = left.filter(({ versions }) => versions.length > 0)
  const productsOf = ({ id, name, versions }: Families[number]) =>
    versions.map((version) => ({
      versionId: version.id,
      familyId: id,
      family: name,
      version: version.name,
      purl: version.purl,
      cpe: version.cpe,
    }))
  return (
    <Select
      aria-label="Add a product version"
      placeholder="Add a product version"
      size="xs"
      w={260}
      searchable
      limit={100}
      value={null}
      nothingFoundMessage="No other version"
      data={groups.map((family) => ({
        group: visibleText(family.name),
        items: [
          ...(family.versions.length > 1
            ? [{ value: family.id, label: visibleText(`All ${family.versions.length} of ${family.name}`) }]
            : []),
          ...family.versions.map(({ id, name }) => ({
            value: id,
            label: visibleText(`${family.name} ${name}`),
          })),
        ],
      }))}
      onChange={(value) => {
        const all = groups.find(({ id }) => id === value)
        const known = all === undefined ? groups.flatMap(productsOf) : productsOf(all)
        onAdd(all === undefined ? known.filter(({ versionId }) => versionId === value) : known)
      }}
    />
  )
}

function AddRange({ families, onAdd }: AddProps): ReactNode {
  return (
    <Select
      aria-label="Add a range of versions"
      placeholder="Add a range of versions"
      size="xs"
      w={220}
      searchable
      limit={100}
      value={null}
      nothingFoundMessage="No such family"
      data={families.map(({ id, name }) => ({ value: id, label: visibleText(`Of ${name}`) }))}
      onChange={(value) => {
        const family = families.find(({ id }) => id === value)
        if (family === undefined) return
        const { id: familyId, name } = family
        const versionId = newUuid()
        onAdd([{ versionId, familyId, family: name, version: '', isRange: true, purl: '', cpe: '' }])
      }}
    />
  )
}

type RowsProps = {
  products: readonly DraftProduct[]
  shown: readonly DraftProduct[]
  /** Index of the first entry shown. */
  from: number
  onChange: (products: DraftProduct[]) => void
}

function ProductRows({ products, shown, from, onChange }: RowsProps): ReactNode {
  return (
    <RowsField
      label={null}
      field="products.rows"
      noun="product"
      columns={[{ name: 'Version', phoneSpan: 2 }, { name: 'Package URL (purl)' }, { name: 'CPE' }]}
      grid="repeat(3, minmax(0, 1fr))"
      entries={shown}
      onChange={(rows) => {
        onChange(products.toSpliced(from, shown.length, ...rows))
      }}
      cells={(product, change, place) => {
        const field = `products.${from + place}`
        const name = visibleText(`${product.family} ${product.version}`)
        return [
          <VersionCell key="version" field={field} product={product} onChange={change} />,
          <LineField
            key="purl"
            field={`${field}.purl`}
            label={`Package URL of ${name}`}
            isCell
            placeholder="pkg:generic/acme/pump@2.0"
            value={product.purl ?? ''}
            onChange={(purl) => {
              change({ ...product, purl })
            }}
          />,
          <LineField
            key="cpe"
            field={`${field}.cpe`}
            label={`CPE of ${name}`}
            isCell
            placeholder="cpe:2.3:a:acme:pump:2.0:*:*:*:*:*:*:*"
            value={product.cpe ?? ''}
            onChange={(cpe) => {
              change({ ...product, cpe })
            }}
          />,
        ]
      }}
    />
  )
}

type CellProps = { field: string; product: DraftProduct; onChange: (product: DraftProduct) => void }

/** The service names a version; a range is typed. */
function VersionCell({ field, product, onChange }: CellProps): ReactNode {
  if (product.isRange === true) {
    return (
      <LineField
        field={field}
        label={visibleText(`Range of ${product.family}`)}
        isCell
        description={visibleText(product.family)}
        placeholder="vers:semver/>=1.0.0|<2.0.0"
        value={product.version}
        onChange={(version) => {
          onChange({ ...product, version })
        }}
      />
    )
  }
  return (
    <div id={fieldId(field)} tabIndex={-1}>
      <Text size="sm" pt={4}>
        <Foreign>{`${product.family} ${product.version}`}</Foreign>
      </Text>
      <FieldProblem field={field} />
    </div>
  )
}
