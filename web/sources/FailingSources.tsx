import { Box, Stack, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
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
import { firstNamed } from './first-named.ts'
import { failingGroups, type FailingGroup } from './source-effects.ts'

const maxErrors = 3

/** Which sources fail since when, what that means for the findings, and how to load files instead. Nothing while none fails. */
export function FailingSources({ sources }: { sources: readonly SourceRow[] }): ReactNode {
  const groups = failingGroups(sources)
  if (groups.length === 0) return null
  return (
    <Stack gap="sm" mb="md">
      {groups.map((group) => (
        <Notice key={group.effect} Icon={IconPlugConnectedX}>
          <Failure group={group} />
        </Notice>
      ))}
      <ImportHelp />
    </Stack>
  )
}

function Failure({ group }: { group: FailingGroup }): ReactNode {
  const { sources, dataOf, effect, errors } = group
  const isOne = sources.length === 1
  return (
    <Text component="div">
      <Names sources={sources} /> <Since group={group} />;{' '}
      {dataOf === null ? (
        `nothing has been loaded from ${isOne ? 'it' : 'them'}`
      ) : (
        <>
          {isOne ? 'its data is of ' : 'the oldest of their data is of '}
          <Moment at={dataOf} />
        </>
      )}
      . {effect}
      {errors.length === 0 ? null : (
        <Text c="dimmed" component="div">
          {isOne ? 'Last attempt: ' : 'Last attempts: '}
          <Foreign>{errors.slice(0, maxErrors).join('; ')}</Foreign>
          {errors.length > maxErrors ? '; see the list for the others' : ''}
        </Text>
      )}
    </Text>
  )
}

/** `NVD`, `NVD, CVE list and 3 more`. */
function Names({ sources }: { sources: readonly SourceRow[] }): ReactNode {
  const { named, more } = firstNamed(sources)
  return (
    <>
      {named.map(({ name, label }, index) => (
        <Fragment key={name}>
          {index === 0 ? '' : more === '' && index === named.length - 1 ? ' and ' : ', '}
          <Text fw={600} component="span">
            <Foreign>{label}</Foreign>
          </Text>
        </Fragment>
      ))}
      {more}
    </>
  )
}

/** `has been failing since 14:02 CET today`, `have been failing, the first since …`. */
function Since({ group: { sources, since } }: { group: FailingGroup }): ReactNode {
  const isOne = sources.length === 1
  return (
    <>
      {isOne ? 'has been failing' : 'have been failing'}
      {since === null ? null : (
        <>
          {isOne ? ' since ' : ', the first since '}
          <Moment at={since} />
        </>
      )}
    </>
  )
}

/** Above findings: the failing sources that matter most to them, with a link to the others and to what to do. */
export function FailingSourcesLine(): ReactNode {
  const { slug } = useWorkspace()
  const [first, ...others] = failingGroups(useQuery(sourcesQuery(slug)).data?.sources ?? [])
  if (first === undefined) return null
  const more = others.flatMap(({ sources }) => sources).length
  return (
    <Box mb="sm">
      <Notice Icon={IconPlugConnectedX}>
        <Text component="div">
          <Names sources={first.sources} /> <Since group={first} />. {first.effect}{' '}
          {more === 0
            ? ''
            : `${formatNoun(more, 'other source')} ${more === 1 ? 'is' : 'are'} failing, too. `}
          <TextLink {...pages.sources(slug)} underline="always">
            What to do
          </TextLink>
        </Text>
      </Notice>
    </Box>
  )
}
