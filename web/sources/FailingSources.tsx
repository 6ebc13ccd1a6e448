import { Box, Stack, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { sourcesQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Notice } from '../kit/page/Notice.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { Moment } from '../kit/time/Time.tsx'
import { ImportHelp } from './ImportHelp.tsx'
import { effectOf, failingSources } from './source-effects.ts'

const maxNamed = 4

/** Which sources fail since when, what that means for the findings, and how to load files instead. Nothing while none fails. */
export function FailingSources({ sources }: { sources: readonly SourceRow[] }): ReactNode {
  const failing = failingSources(sources)
  if (failing.length === 0) return null
  const more = failing.length - maxNamed
  return (
    <Stack gap="sm" mb="md">
      {failing.slice(0, maxNamed).map((source) => (
        <Notice key={source.name} Icon={IconPlugConnectedX}>
          <Failure source={source} />
        </Notice>
      ))}
      {more > 0 ? <Text c="dimmed">{formatNoun(more, 'more source')} failing, see the list.</Text> : null}
      <ImportHelp />
    </Stack>
  )
}

function Failure({ source }: { source: SourceRow }): ReactNode {
  const { label, failingSince, lastSuccessAt, lastError } = source
  return (
    <Text component="div">
      <Text fw={600} component="span">
        <Foreign>{label}</Foreign>
      </Text>{' '}
      has been failing
      {failingSince === null ? null : (
        <>
          {' since '}
          <Moment at={failingSince} />
        </>
      )}
      ;{' '}
      {lastSuccessAt === null ? (
        'nothing has been loaded from it'
      ) : (
        <>
          its data is of <Moment at={lastSuccessAt} />
        </>
      )}
      . {effectOf(source)}
      {lastError === null ? null : (
        <Text c="dimmed" component="div">
          Last attempt: <Foreign>{lastError}</Foreign>
        </Text>
      )}
    </Text>
  )
}

/** One line above findings: the failing sources, with a link to the details. */
export function FailingSourcesLine(): ReactNode {
  const { slug } = useWorkspace()
  const failing = failingSources(useQuery(sourcesQuery(slug)).data?.sources ?? [])
  const [first] = failing
  if (first === undefined) return null
  const others = failing.length - 1
  return (
    <Box mb="sm">
      <Notice Icon={IconPlugConnectedX}>
        <Text component="div">
          <Foreign>{first.label}</Foreign>
          {others === 0 ? ' has' : ` and ${formatNoun(others, 'other source')} have`} been failing
          {first.failingSince === null ? null : (
            <>
              {' since '}
              <Moment at={first.failingSince} />
            </>
          )}
          . {effectOf(first)}{' '}
          <TextLink {...pages.sources(slug)} underline="always">
            What to do
          </TextLink>
        </Text>
      </Notice>
    </Box>
  )
}
