import type { ReactNode } from 'react'
import { FilterSelect } from '../kit/table/FilterSelect.tsx'
import type { Column } from '../kit/table/column.ts'
import { componentScopes, type ComponentScope } from '#contract/sbom/shapes.ts'

export const scopeLooks: Record<ComponentScope, { word: string; meaning: string }> = {
  required: { word: 'Required', meaning: 'The product needs it.' },
  optional: { word: 'Optional', meaning: 'The product can run without it.' },
  excluded: { word: 'Excluded', meaning: 'It is not part of what is delivered, such as a tool for tests.' },
}

function isSaid(scope: ComponentScope | null): scope is 'optional' | 'excluded' {
  return scope === 'optional' || scope === 'excluded'
}

/** What the SBOM says a component is for; the column appears only if some component is not required. */
export function scopeColumn<Row>(scopeOf: (row: Row) => ComponentScope | null): Column<Row> {
  return {
    id: 'scope',
    header: 'Scope',
    widthPx: 92,
    appearsFor: (row) => isSaid(scopeOf(row)),
    cell: (row) => <ScopeWord scope={scopeOf(row)} />,
  }
}

function ScopeWord({ scope }: { scope: ComponentScope | null }): ReactNode {
  if (!isSaid(scope)) return null
  const { word, meaning } = scopeLooks[scope]
  return <span title={meaning}>{word.toLowerCase()}</span>
}

type Props = { chosen: ComponentScope | undefined; onChoose: (scope: ComponentScope | undefined) => void }

/** Filters a list by component scope. */
export function ScopeSelect({ chosen, onChoose }: Props): ReactNode {
  return (
    <FilterSelect
      label="Scope"
      unset="Any scope"
      value={chosen}
      choices={componentScopes.map((value) => ({ value, label: scopeLooks[value].word }))}
      onChoose={onChoose}
    />
  )
}
