import { IconBiohazard, IconFlame, type TablerIcon } from '@tabler/icons-react'
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
  const { search: _search, ...withoutSearch } = filter
  return (
    <>
      <SearchField
        label={label}
        value={filter.search}
        onSearch={(words) => {
          onFilter(words === undefined ? withoutSearch : { ...filter, search: words })
        }}
      />
      <FilterChips label="Filters" choices={choicesOf(filter, onFilter)} />
    </>
  )
}

function choicesOf(filter: FindingFilter, onFilter: Props['onFilter']): FilterChoice[] {
  /** A chip that sets or clears a filter value. */
  function chip<Name extends keyof FindingFilter>(
    name: Name,
    value: FindingFilter[Name],
    label: ReactNode,
  ): FilterChoice {
    const { [name]: present, ...without } = filter
    return {
      id: String(value),
      label,
      pressed: present === value,
      onToggle: () => {
        onFilter(present === value ? without : { ...filter, [name]: value })
      },
    }
  }
  return [
    chip('recordClass', 'malware', <Signed Icon={IconBiohazard} word="Malware" />),
    chip('exploited', true, <Signed Icon={IconFlame} word="Exploited" />),
    ...filteredSeverities.map((severity) => {
      const { Icon, sign, word } = severityLooks[severity]
      return chip('severity', severity, <Signed Icon={Icon} word={word} sign={sign} />)
    }),
    chip('grade', 'exact', 'Exact only'),
  ]
}

function Signed({
  Icon,
  word,
  sign = 'var(--sign-critical)',
}: {
  Icon: TablerIcon
  word: string
  sign?: string
}): ReactNode {
  return (
    <>
      <Icon size={13} aria-hidden style={{ color: sign }} /> {word}
    </>
  )
}
