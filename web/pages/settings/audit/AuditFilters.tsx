import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { auditActionNames, auditObjectKinds } from '../../../../src/contract/audit.ts'
import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import { auditActorsQuery } from '../../../api/audit-queries.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { present, type AuditFilter } from '../../../page-search.ts'
import { FilterChips, type FilterChoice } from '../../../ui/FilterChips.tsx'
import { actionGroups, actionWords, objectWords } from './audit-words.ts'

type Props = { filter: AuditFilter; onFilter: (next: AuditFilter) => void }

/** What the trail is narrowed to, each as a chip in the address. */
export function AuditFilters({ filter, onFilter }: Props): ReactNode {
  return (
    <Group gap="4px 12px">
      <ActorChoice filter={filter} onFilter={onFilter} />
      <ActionChoice filter={filter} onFilter={onFilter} />
      <ObjectChoice filter={filter} onFilter={onFilter} />
      <DayField name="from" label="From" filter={filter} onFilter={onFilter} />
      <DayField name="until" label="Until" filter={filter} onFilter={onFilter} />
      <Chips filter={filter} onFilter={onFilter} />
    </Group>
  )
}

/** What a filter that is on says. */
const chipWords: { [Name in keyof AuditFilter]-?: (value: NonNullable<AuditFilter[Name]>) => string } = {
  actor: (id) => visibleText(`Actor: ${id}`),
  actorKind: (kind) => `Actor: ${kindNames[kind]}`,
  action: actionWords,
  objectKind: objectWords,
  object: (id) => visibleText(`On ${id}`),
  from: (day) => visibleText(`From ${day}`),
  until: (day) => visibleText(`Until ${day}`),
}
const filterNames = Object.keys(chipWords) as (keyof AuditFilter)[]

function Chips({ filter, onFilter }: Props): ReactNode {
  const choices = filterNames.flatMap((name) => chipOf(name, filter, onFilter))
  return choices.length === 0 ? null : <FilterChips label="Filters" choices={choices} />
}

function chipOf<Name extends keyof AuditFilter>(
  name: Name,
  filter: AuditFilter,
  onFilter: Props['onFilter'],
): FilterChoice[] {
  const value = filter[name]
  if (value === undefined) return []
  return [
    {
      id: name,
      label: name === 'actor' ? <ActorName id={value} /> : chipWords[name](value),
      pressed: true,
      onToggle: () => {
        onFilter(present({ ...filter, [name]: undefined }))
      },
    },
  ]
}

function ActorName({ id }: { id: string }): ReactNode {
  const { slug } = useWorkspace()
  const { people, tokens } = useQuery(auditActorsQuery(slug)).data ?? { people: [], tokens: [] }
  const name = [...people, ...tokens].find((actor) => actor.id === id)?.name
  return chipWords.actor(name ?? id)
}

const kindNames = { person: 'People', token: 'Tokens', system: 'The service itself' } as const

function ActorChoice({ filter, onFilter }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { people, tokens } = useQuery(auditActorsQuery(slug)).data ?? { people: [], tokens: [] }
  const kinds = (['person', 'token', 'system'] as const).map((kind) => ({
    value: kind,
    label: kindNames[kind],
  }))
  return (
    <NativeSelect
      size="xs"
      aria-label="Actor"
      value={filter.actor ?? filter.actorKind ?? ''}
      data={[
        { value: '', label: 'Any actor' },
        { group: 'Kind', items: kinds },
        {
          group: 'People',
          items: people.map(({ id, name, isRemoved }) => ({
            value: id,
            label: visibleText(isRemoved ? `${name} (removed)` : name),
          })),
        },
        { group: 'Tokens', items: tokens.map(({ id, name }) => ({ value: id, label: visibleText(name) })) },
      ]}
      onChange={({ currentTarget: { value } }) => {
        const actorKind = kinds.find((kind) => kind.value === value)?.value
        const actor = value === '' || actorKind !== undefined ? undefined : value
        onFilter(present({ ...filter, actor, actorKind }))
      }}
      style={{ maxWidth: 200 }}
    />
  )
}

function ActionChoice({ filter, onFilter }: Props): ReactNode {
  return (
    <NativeSelect
      size="xs"
      aria-label="Act"
      value={filter.action ?? ''}
      data={[
        { value: '', label: 'Any act' },
        ...actionGroups.map(({ subject, actions }) => ({
          group: subject,
          items: actions.map((action) => ({ value: action, label: actionWords(action) })),
        })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        onFilter(present({ ...filter, action: auditActionNames.find((action) => action === value) }))
      }}
      style={{ maxWidth: 220 }}
    />
  )
}

function ObjectChoice({ filter, onFilter }: Props): ReactNode {
  return (
    <NativeSelect
      size="xs"
      aria-label="On"
      value={filter.objectKind ?? ''}
      data={[
        { value: '', label: 'On anything' },
        ...auditObjectKinds.map((kind) => ({ value: kind, label: objectWords(kind) })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        onFilter(present({ ...filter, objectKind: auditObjectKinds.find((kind) => kind === value) }))
      }}
    />
  )
}

type DayProps = Props & { name: 'from' | 'until'; label: string }

/** A day of the workspace's time zone. */
function DayField({ name, label, filter, onFilter }: DayProps): ReactNode {
  return (
    <TextInput
      size="xs"
      type="date"
      aria-label={label}
      title={label}
      value={filter[name] ?? ''}
      min="1000-01-01"
      max="2999-12-31"
      onChange={({ currentTarget: { value } }) => {
        onFilter(present({ ...filter, [name]: value === '' ? undefined : value }))
      }}
    />
  )
}
