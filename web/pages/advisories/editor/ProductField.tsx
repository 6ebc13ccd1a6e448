import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import type { DraftProduct } from '../../../../src/contract/advisories.ts'
import { advisoryProductsQuery } from '../../../api/advisory-queries.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { fieldId, useProblem } from './fields.ts'

type Props = { products: readonly DraftProduct[]; onChange: (products: DraftProduct[]) => void }

/** The product versions that the advisory is about, over all families. */
export function ProductField({ products, onChange }: Props): ReactNode {
  const { slug } = useWorkspace()
  const families = useQuery(advisoryProductsQuery(slug)).data ?? []
  const problem = useProblem('products')
  const known = new Map<string, DraftProduct>(
    [
      ...families.flatMap(({ id, name, versions }) =>
        versions.map((version) => ({
          versionId: version.id,
          familyId: id,
          family: name,
          version: version.name,
        })),
      ),
      ...products,
    ].map((product) => [product.versionId, product]),
  )
  const groups = Map.groupBy(known.values(), ({ family }) => family)
  return (
    <MultiSelect
      id={fieldId('products')}
      label="Product versions"
      description="Every version that the advisory says something about."
      error={problem}
      searchable
      hidePickedOptions
      value={products.map(({ versionId }) => versionId)}
      data={[...groups].map(([family, rows]) => ({
        group: visibleText(family),
        items: rows.map(({ versionId, version }) => ({
          value: versionId,
          label: visibleText(`${family} ${version}`),
        })),
      }))}
      onChange={(versionIds) => {
        onChange(versionIds.flatMap((versionId) => known.get(versionId) ?? []))
      }}
    />
  )
}
