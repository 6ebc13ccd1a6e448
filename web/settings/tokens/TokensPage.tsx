import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TokenRow } from '#contract/tokens/shapes.ts'
import { refusal } from '../../workspaces/access.ts'
import { familyNamesQuery } from '../../families/queries.ts'
import { tokensQuery } from './queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { TokensSearch } from '../area.ts'
import { pages } from '../../areas.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { FilterChips } from '../../kit/table/FilterChips.tsx'
import { TokenStatusChip } from './TokenStatusChip.tsx'
import type { Column } from '../../kit/table/column.ts'
import { SettingsNav } from '../SettingsNav.tsx'
import { CreateTokenModal } from './CreateTokenModal.tsx'
import { RevokeToken } from './RevokeToken.tsx'
import { TokenDrawer } from './TokenDrawer.tsx'
import { Created, Expires, LastUsed, TokenFamilyLine } from './token-facts.tsx'
import { ListPage } from '../../kit/page/ListPage.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'
import { present } from '../../kit/address/search.ts'
import { wholeList } from '../../kit/api/listed.ts'

function EmptyTokens({ isFiltered, create }: { isFiltered: boolean; create: ReactNode }): ReactNode {
  if (isFiltered) return <Empty why="This family has no tokens." next={create} />
  return (
    <Empty
      why="There are no tokens yet. Pipelines use a token to upload; create one per pipeline."
      next={create}
    />
  )
}

const columns: Column<TokenRow>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (token) => (
      <span className="two-lines">
        <span className="clip">
          <Foreign>{token.name}</Foreign>
          <Text span inherit c="dimmed" hiddenFrom="md">
            {` ${token.prefix}…`}
          </Text>
        </span>
        <span className="phone-only dimmed clip">
          <TokenFamilyLine token={token} />
        </span>
      </span>
    ),
  },
  { id: 'family', header: 'Product family', from: 'sm', cell: (token) => <TokenFamilyLine token={token} /> },
  { id: 'prefix', header: 'Token', widthPx: 130, from: 'md', cell: ({ prefix }) => <code>{prefix}…</code> },
  { id: 'created', header: 'Created', widthPx: 220, from: 'lg', cell: (token) => <Created token={token} /> },
  { id: 'used', header: 'Last used', widthPx: 124, from: 'md', cell: (token) => <LastUsed token={token} /> },
  { id: 'expires', header: 'Expires', widthPx: 124, from: 'sm', cell: (token) => <Expires token={token} /> },
  { id: 'status', header: 'Status', widthPx: 100, cell: ({ status }) => <TokenStatusChip status={status} /> },
  {
    id: 'act',
    header: 'Actions',
    hidesHeader: true,
    widthPx: 92,
    align: 'right',
    cell: (token) => (token.status === 'Active' ? <RevokeToken token={token} size="compact-xs" /> : null),
  },
]

type FilterProps = { id: string; name: string; onClear: () => void }

/** Leads back to the family, too: its page and the first steps lead here. */
function FamilyFilter({ id, name, onClear }: FilterProps): ReactNode {
  const { slug } = useWorkspace()
  const chip = { id: 'family', label: visibleText(`Family: ${name}`), pressed: true, onToggle: onClear }
  return (
    <Group gap="sm">
      <FilterChips label="Filters" choices={[chip]} />
      <TextLink {...pages.family(slug, id)}>
        Go to <Foreign>{name}</Foreign>
      </TextLink>
    </Group>
  )
}

function CreateToken({ onClick }: { onClick: () => void }): ReactNode {
  const workspace = useWorkspace()
  return (
    <ActionButton
      leftSection={<IconPlus size={16} />}
      refused={refusal(workspace, 'manage_upload_tokens')}
      onClick={onClick}
    >
      Create token
    </ActionButton>
  )
}

/** API tokens (docs/public-api.md, "API token"): who may send, since when, and until when. */
export default function TokensPage(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { dialog, family: familyId, token: open } = useSearch({ from: '/signed-in/$slug/settings/tokens' })
  const place: TokensSearch = present({ family: familyId })
  const { linkTo, show } = useSteps(place, (next: TokensSearch) => pages.tokens(slug, next))
  const tokens = useQuery(tokensQuery(slug))
  const families = useQuery(familyNamesQuery(slug))
  const rows = tokens.data?.filter(({ family }) => familyId === undefined || family?.id === familyId)
  const close = () => {
    show(place)
  }
  const createButton = (
    <CreateToken
      onClick={() => {
        show({ ...place, dialog: 'create' })
      }}
    />
  )
  return (
    <ListPage
      title="API tokens"
      crumbs={[{ name: 'Settings' }]}
      actions={createButton}
      nav={<SettingsNav />}
      list={wholeList(tokens, rows)}
      note={{ noun: 'token' }}
      filters={
        familyId === undefined ? null : (
          <FamilyFilter
            id={familyId}
            name={families.data?.find(({ id }) => id === familyId)?.name ?? 'unknown'}
            onClear={() => {
              show({})
            }}
          />
        )
      }
      label="API tokens"
      columns={columns}
      rowId={({ id }) => id}
      rowLink={({ id }) => linkTo({ ...place, token: id })}
      openRow={open}
      empty={<EmptyTokens isFiltered={familyId !== undefined} create={createButton} />}
    >
      <TokenDrawer token={tokens.data?.find(({ id }) => id === open)} onClose={close} />
      <CreateTokenModal
        opened={dialog === 'create' && refusal(workspace, 'manage_upload_tokens') === undefined}
        familyId={familyId}
        families={families.data ?? []}
        onClose={close}
      />
    </ListPage>
  )
}
