import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Space, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { sourcesQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { DetailDrawer } from '../kit/page/DetailDrawer.tsx'
import { FactList } from '../kit/page/Facts.tsx'
import { formatCount } from '../kit/text/format.ts'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import type { Column } from '../kit/table/column.ts'
import { Moment } from '../kit/time/Time.tsx'
import { FailingSources } from './FailingSources.tsx'
import { ImportHelp } from './ImportHelp.tsx'
import { NoSources } from './NoSources.tsx'
import { effectOf } from './source-effects.ts'
import { sourceColumns } from './source-columns.tsx'
import { SourceState, Taken } from './source-marks.tsx'
import { WorkspaceShares } from './WorkspaceShares.tsx'
import { List } from '../kit/table/List.tsx'
import { useSteps } from '../kit/address/use-steps.ts'
import { wholeList } from '../kit/api/listed.ts'
import type { SourcesSearch } from './area.ts'

const columns: Column<SourceRow>[] = [
  ...sourceColumns,
  {
    id: 'error',
    header: 'Last error',
    from: 'md',
    cell: ({ lastError }) =>
      lastError === null ? (
        <span className="dimmed">none</span>
      ) : (
        <span title={visibleText(lastError)}>
          <Foreign>{lastError}</Foreign>
        </span>
      ),
  },
]

function loadedWhen(switchedOff: readonly string[]): string {
  return switchedOff.includes('OSV')
    ? 'Fetching is switched off: an ecosystem is loaded by hand, from a file.'
    : 'An ecosystem is loaded when its first component is uploaded.'
}

/** The vulnerability data behind the findings: every source with its records, age and last error. */
export default function SourcesPage(): ReactNode {
  const { slug } = useWorkspace()
  const { source: openName } = useSearch({ from: '/signed-in/$slug/sources' })
  const { linkTo, show } = useSteps({}, (next: SourcesSearch) => pages.sources(slug, next))
  const sources = useQuery(sourcesQuery(slug))
  const rows = sources.data?.sources
  const switchedOff = sources.data?.switchedOff ?? []
  return (
    <>
      <PageHeader
        title="Sources"
        about={`The vulnerability data behind the findings. ${loadedWhen(switchedOff)}`}
      />
      <FailingSources sources={rows ?? []} />
      <List
        list={wholeList(sources, rows)}
        note={{ noun: 'source' }}
        label="Sources"
        columns={columns}
        rowId={({ name }) => name}
        rowLink={({ name }) => linkTo({ source: name })}
        openRow={openName}
        empty={<NoSources switchedOff={switchedOff} />}
      />
      <SwitchedOff names={switchedOff} sources={rows ?? []} />
      <Space h={28} />
      <WorkspaceShares />
      <SourceDrawer
        source={rows?.find(({ name }) => name === openName)}
        onClose={() => {
          show({})
        }}
      />
    </>
  )
}

/** Sources that are switched off; without any source, the empty table says so itself. */
function SwitchedOff({
  names,
  sources,
}: {
  names: readonly string[]
  sources: readonly SourceRow[]
}): ReactNode {
  if (names.length === 0 || sources.length === 0) return null
  return (
    <Stack gap="sm" mt="xs">
      <Text c="dimmed">
        Switched off by the configuration, so not fetched: {names.join(', ')}. What was loaded by hand is as
        old as that import; vulnerabilities published since are missing.
      </Text>
      {sources.some(({ state }) => state === 'failing') ? null : <ImportHelp />}
    </Stack>
  )
}

function SourceDrawer({
  source,
  onClose,
}: {
  source: SourceRow | undefined
  onClose: () => void
}): ReactNode {
  return (
    <DetailDrawer title={source?.label ?? 'Source'} opened={source !== undefined} onClose={onClose}>
      {source === undefined ? null : (
        <Stack>
          <FactList
            facts={[
              { name: 'State', value: <SourceState source={source} /> },
              { name: 'Records', value: formatCount(source.records) },
              { name: 'Updated', value: <Taken at={source.lastSuccessAt} /> },
              { name: 'Last attempt', value: <Taken at={source.lastAttemptAt} /> },
              ...(source.failingSince === null
                ? []
                : [{ name: 'Failing since', value: <Moment at={source.failingSince} /> }]),
              { name: 'Last error', value: source.lastError ?? <span className="dimmed">none</span> },
              ...(source.state === 'failing' || source.state === 'never'
                ? [{ name: 'What it means', value: effectOf(source) }]
                : []),
              {
                name: 'Name',
                value: (
                  <code>
                    <Foreign>{source.name}</Foreign>
                  </code>
                ),
              },
            ]}
          />
        </Stack>
      )}
    </DetailDrawer>
  )
}
