import { Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RemovedSbomDetail } from '#contract/sbom/retention.ts'
import { ruleWords } from '../families/old-sboms/words.ts'
import { isFailure } from '../kit/api/request.ts'
import { FactList } from '../kit/page/Facts.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { Chip } from '../kit/text/Chip.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { CopyText } from '../kit/text/CopyText.tsx'
import { formatBytes, formatCount, formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { Moment } from '../kit/time/Time.tsx'
import { pages } from '../areas.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { formatNames } from './format-names.ts'
import { removedSbomQuery } from './queries.ts'

type Props = { sbomId: string; otherwise: ReactNode }

/** Shown instead of a missing SBOM: when and why it was removed, if the family's setting removed it. */
export function RemovedSbom({ sbomId, otherwise }: Props): ReactNode {
  const { slug } = useWorkspace()
  const removed = useQuery(removedSbomQuery(slug, sbomId))
  if (isFailure(removed.error, 'not_found')) return otherwise
  return <Loaded query={removed}>{(known) => <Left removed={known} />}</Loaded>
}

function Left({ removed }: { removed: RemovedSbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { family, version, keep, amount, format, specVersion, sha256 } = removed
  const history = pages.family(slug, family.id, { tab: 'history' })
  return (
    <>
      <PageHeader
        title={`${family.name} ${version ?? 'without version'}`}
        crumbs={[
          { name: 'Families', link: pages.families(slug) },
          { name: family.name, link: pages.family(slug, family.id) },
        ]}
        status={
          <Chip tone="neutral" Icon={IconTrash}>
            removed
          </Chip>
        }
      />
      <Stack gap="lg" maw={720}>
        <Text>
          Removed <Moment at={removed.removedAt} />: a later SBOM had replaced it, and the family kept{' '}
          {keptWords(removed)}. Its findings and their verdicts stay with the version.
        </Text>
        <FactList
          facts={[
            { name: 'Removed', value: <Moment at={removed.removedAt} /> },
            { name: 'Setting', value: ruleWords({ keep, amount }) },
            { name: 'Received', value: <Moment at={removed.receivedAt} /> },
            { name: 'Replaced', value: <Moment at={removed.replacedAt} /> },
            { name: 'Format', value: `${formatNames[format]} ${specVersion}` },
            { name: 'Size', value: formatBytes(removed.sizeBytes) },
            { name: 'Entries', value: formatCount(removed.components) },
            { name: 'Findings', value: formatCount(removed.findings) },
            {
              name: 'SHA-256',
              value: (
                <CopyText text={sha256} what="SHA-256">
                  {sha256.slice(0, 16)}…
                </CopyText>
              ),
            },
          ]}
        />
        <Text>
          <TextLink {...history} underline="always">
            SBOM history of <Foreign>{family.name}</Foreign>
          </TextLink>
        </Text>
      </Stack>
    </>
  )
}

function keptWords({ keep, amount }: RemovedSbomDetail): string {
  if (keep === 'days') return `replaced SBOMs for ${formatNoun(amount, 'day')}`
  return amount === 1
    ? 'only the last replaced SBOM of each version'
    : `only the last ${formatNoun(amount, 'replaced SBOM')} of each version`
}
