import { Foreign } from '../../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SbomDetail, SbomReference } from '#contract/sbom/rows.ts'
import { comparisonQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { Moment } from '../../kit/time/Time.tsx'
import { Changes } from './Changes.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'

/** Changes since the previous version, or since the SBOM that this one replaced. */
export function ChangesTab({ sbom }: { sbom: SbomDetail }): ReactNode {
  if (sbom.previous !== null) return <ChangesSince sbom={sbom} previous={sbom.previous} />
  return (
    <Empty why="There is nothing to compare with: this is the first version of the family, and the SBOM replaced no other." />
  )
}

function ChangesSince({ sbom, previous }: { sbom: SbomDetail; previous: SbomReference }): ReactNode {
  const { slug } = useWorkspace()
  const comparison = useQuery(comparisonQuery(slug, sbom.id, previous.id))
  const replaced = sbom.replaces?.id === previous.id
  return (
    <>
      <Text mb="md">
        Since{' '}
        <TextLink {...pages.sbom(slug, previous.id)} underline="always">
          <Foreign>
            {replaced ? 'the SBOM it replaced' : (previous.version ?? 'the SBOM without a version')}
          </Foreign>
        </TextLink>{' '}
        of <Moment at={previous.receivedAt} />.{' '}
        <TextLink {...pages.comparison(slug, sbom.id, previous.id)} underline="always">
          Compare with another SBOM
        </TextLink>
      </Text>
      <Loaded query={comparison}>{(known) => <Changes comparison={known} />}</Loaded>
    </>
  )
}
