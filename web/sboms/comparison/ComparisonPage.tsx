import { visibleText } from '#contract/hidden-characters.ts'
import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ComparedSbom, SbomComparison } from '#contract/inventory/shapes.ts'
import { comparisonQuery } from '../queries.ts'
import { familySbomsQuery } from '../../families/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { formatAbsolute } from '../../kit/text/format.ts'
import { useTimeZone } from '../../kit/time/time-zone.ts'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { Changes } from './Changes.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'

/** Changes between two SBOMs. */
export default function ComparisonPage(): ReactNode {
  const { sbom, other } = useParams({ from: '/signed-in/$slug/sboms/$sbom/compare/$other' })
  const { slug } = useWorkspace()
  return (
    <Loaded
      query={useQuery(comparisonQuery(slug, sbom, other))}
      head={<PageHeader title="Comparison" crumbs={[{ name: 'Families', link: pages.families(slug) }]} />}
    >
      {(comparison) => <Comparison comparison={comparison} />}
    </Loaded>
  )
}

function Comparison({ comparison }: { comparison: SbomComparison }): ReactNode {
  const { slug } = useWorkspace()
  const timeZone = useTimeZone()
  const { before, after } = comparison
  return (
    <>
      <PageHeader
        title="Comparison"
        crumbs={[
          { name: 'Families', link: pages.families(slug) },
          { name: after.family.name, link: pages.family(slug, after.family.id) },
          { name: after.version ?? 'without version', link: pages.sbom(slug, after.id) },
        ]}
        about={
          <>
            From <strong>{nameOf(before, timeZone)}</strong> to <strong>{nameOf(after, timeZone)}</strong>
          </>
        }
      />
      <OtherChoice comparison={comparison} />
      <Changes comparison={comparison} />
    </>
  )
}

function nameOf({ family, version, receivedAt }: ComparedSbom, timeZone: string | undefined): string {
  return visibleText(`${family.name} ${version ?? 'without version'} of ${shortTime(receivedAt, timeZone)}`)
}

function shortTime(iso: string, timeZone: string | undefined): string {
  return formatAbsolute(iso, timeZone).split(' · ')[0] ?? iso
}

/** Any other SBOM of the family to compare with. */
function OtherChoice({ comparison: { before, after } }: { comparison: SbomComparison }): ReactNode {
  const { slug } = useWorkspace()
  const timeZone = useTimeZone()
  const navigate = useNavigate()
  const sboms = useInfiniteQuery(familySbomsQuery(slug, after.family.id))
  const choices = (sboms.data?.pages.flatMap(({ rows }) => rows) ?? [])
    .filter(({ id }) => id !== after.id)
    .map(({ id, version, receivedAt }) => ({
      value: id,
      label: visibleText(`${version ?? 'without version'} of ${shortTime(receivedAt, timeZone)}`),
    }))
  const isListed = choices.some(({ value }) => value === before.id)
  return (
    <NativeSelect
      label="Compare with"
      mb="lg"
      w={360}
      maw="100%"
      value={before.id}
      data={isListed ? choices : [{ value: before.id, label: 'Choose an SBOM' }, ...choices]}
      onChange={(event) => {
        void navigate({ ...pages.comparison(slug, after.id, event.currentTarget.value) })
      }}
    />
  )
}
