import { IconFlame } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { severities } from '#contract/sbom/shapes.ts'
import type { FindingFilter } from './queries.ts'
import { FilterChips, type FilterChoice } from '../kit/table/FilterChips.tsx'
import { SearchField } from '../kit/table/SearchField.tsx'
import { severityLooks } from './severity.ts'

type Props = {
  /** Of the search field. */
  label?: string
  filter: FindingFilter
  onFilter: (next: FindingFilter) => void
}

const filteredSeverities = severities.filter((severity) => severity !== 'none')

/** Search and filters of the findings; one severity at a time. */
export function FindingFilters({ label = 'Search findings', filter, onFilter }: Props): ReactNode {
  const { search, severity: present, exploited, grade } = filter
  const { search: _search, ...withoutSearch } = filter
  const { severity: _severity, ...withoutSeverity } = filter
  const { exploited: _exploited, ...withoutExploited } = filter
  const { grade: _grade, ...withoutGrade } = filter
  const choices: FilterChoice[] = [
    {
      id: 'exploited',
      label: (
        <>
          <IconFlame size={13} aria-hidden style={{ color: 'var(--sign-critical)' }} /> Exploited
        </>
      ),
      pressed: exploited === true,
      onToggle: () => {
        onFilter(exploited === true ? withoutExploited : { ...filter, exploited: true })
      },
    },
    ...filteredSeverities.map((severity) => {
      const { Icon, sign, word } = severityLooks[severity]
      return {
        id: severity,
        label: (
          <>
            <Icon size={13} aria-hidden style={{ color: sign }} /> {word}
          </>
        ),
        pressed: present === severity,
        onToggle: () => {
          onFilter(present === severity ? withoutSeverity : { ...filter, severity })
        },
      }
    }),
    {
      id: 'exact',
      label: 'Exact only',
      pressed: grade === 'exact',
      onToggle: () => {
        onFilter(grade === 'exact' ? withoutGrade : { ...filter, grade: 'exact' })
      },
    },
  ]
  return (
    <>
      <SearchField
        label={label}
        value={search}
        onSearch={(words) => {
          onFilter(words === undefined ? withoutSearch : { ...filter, search: words })
        }}
      />
      <FilterChips label="Filters" choices={choices} />
    </>
  )
}
