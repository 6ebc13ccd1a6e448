import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { auditActionNames, auditObjectKinds, type AuditEvent } from '#contract/audit/shapes.ts'
import { actorKinds, type ActorKind } from '#contract/roles.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { auditActorsQuery } from './queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { present } from '../../kit/address/search.ts'
import type { AuditFilter } from '../area.ts'
import { tokenWords } from '../tokens/token-words.ts'
import { UnreadChoices } from '../../kit/form/UnreadChoices.tsx'
import { FilterSelect } from '../../kit/table/FilterSelect.tsx'
import { FilterChips, type FilterChoice } from '../../kit/table/FilterChips.tsx'
import { actionGroups, actionWords, objectName, objectWords } from './audit-words.ts'

type Props = {
  filter: AuditFilter
  /** The object that the list is narrowed to. */
  object: AuditEvent['object'] | undefined
  onFilter: (next: AuditFilter) => void
}
type ChoiceProps = Omit<Props, 'object'>

/** Filters of the audit trail, each as a chip and in the address. */
export function AuditFilters({ filter, object, onFilter }: Props): ReactNode {
  return (
    <Group gap="4px 12px">
      <ActorChoice filter={filter} onFilter={onFilter} />
      <ActionChoice filter={filter} onFilter={onFilter} />
      <ObjectChoice filter={filter} onFilter={onFilter} />
      <DayField name="from" label="From" filter={filter} onFilter={onFilter} />
      <DayField name="until" label="Until" filter={filter} onFilter={onFilter} />
      <Chips filter={filter} object={object} onFilter={onFilter} />
    </Group>
  )
}

const chipNames = ['actor', 'actorKind', 'action', 'objectKind', 'object', 'from', 'until'] as const

/** The active filters in words. */
function wordsOf(filter: AuditFilter, thing: Props['object']): Partial<Record<keyof AuditFilter, ReactNode>> {
  const { actor, actorKind, action, objectKind, object, from, until } = filter
  return {
    actor: actor === undefined ? undefined : <ActorName id={actor} />,
    actorKind: actorKind === undefined ? undefined : `Actor: ${kindNames[actorKind]}`,
    action: action === undefined ? undefined : actionWords(action),
    objectKind: objectKind === undefined ? undefined : objectWords(objectKind),
    object:
      object === undefined
        ? undefined
        : visibleText(`On ${thing === undefined ? object : objectName(thing)}`),
    from: from === undefined ? undefined : visibleText(`From ${from}`),
    until: until === undefined ? undefined : visibleText(`Until ${until}`),
  }
}

function Chips({ filter, object, onFilter }: Props): ReactNode {
  const words = wordsOf(filter, object)
  const choices: FilterChoice[] = chipNames
    .filter((name) => words[name] !== undefined)
    .map((name) => ({
      id: name,
      label: words[name],
      pressed: true,
      onToggle: () => {
        onFilter(present({ ...filter, [name]: undefined }))
      },
    }))
  return choices.length === 0 ? null : <FilterChips label="Filters" choices={choices} />
}

function ActorName({ id }: { id: string }): ReactNode {
  const { slug } = useWorkspace()
  const { people, tokens } = useQuery(auditActorsQuery(slug)).data ?? { people: [], tokens: [] }
  const token = tokens.find((actor) => actor.id === id)
  const name = token === undefined ? people.find((actor) => actor.id === id)?.name : tokenWords(token)
  return visibleText(`Actor: ${name ?? id}`)
}

const kindNames: Record<ActorKind, string> = {
  person: 'People',
  token: 'Tokens',
  system: 'The service itself',
}

function ActorChoice({ filter, onFilter }: ChoiceProps): ReactNode {
  const { slug } = useWorkspace()
  const asked = useQuery(auditActorsQuery(slug))
  const { people, tokens } = asked.data ?? { people: [], tokens: [] }
  const kinds = actorKinds.map((kind) => ({
    value: kind,
    label: kindNames[kind],
  }))
  return (
    <>
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
          {
            group: 'Tokens',
            items: tokens.map((token) => ({ value: token.id, label: visibleText(tokenWords(token)) })),
          },
        ]}
        onChange={({ currentTarget: { value } }) => {
          const actorKind = kinds.find((kind) => kind.value === value)?.value
          const actor = value === '' || actorKind !== undefined ? undefined : value
          onFilter(present({ ...filter, actor, actorKind }))
        }}
        style={{ maxWidth: 200 }}
      />
      <UnreadChoices query={asked} choices="people and tokens" />
    </>
  )
}

function ActionChoice({ filter, onFilter }: ChoiceProps): ReactNode {
  return (
    <NativeSelect
      size="xs"
      aria-label="Action"
      value={filter.action ?? ''}
      data={[
        { value: '', label: 'Any action' },
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

function ObjectChoice({ filter, onFilter }: ChoiceProps): ReactNode {
  return (
    <FilterSelect
      label="On"
      unset="On anything"
      value={filter.objectKind}
      choices={auditObjectKinds.map((value) => ({ value, label: objectWords(value) }))}
      onChoose={(objectKind) => {
        onFilter(present({ ...filter, objectKind }))
      }}
    />
  )
}

type DayProps = ChoiceProps & { name: 'from' | 'until'; label: string }

/** A day in the workspace's time zone. */
function DayField({ name, label, filter, onFilter }: DayProps): ReactNode {
  return (
    <TextInput
      size="xs"
      type="date"
      aria-label={label}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={46}
      value={filter[name] ?? ''}
      min="1000-01-01"
      max="2999-12-31"
      onChange={({ currentTarget: { value } }) => {
        onFilter(present({ ...filter, [name]: value === '' ? undefined : value }))
      }}
    />
  )
}
