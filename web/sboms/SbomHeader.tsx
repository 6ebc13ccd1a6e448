import { IconArrowsDiff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { downloadSbom } from '#contract/sbom/operations.ts'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { DownloadButton } from '../kit/actions/DownloadButton.tsx'
import { saveFile } from '../kit/api/save-file.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActivateSbom } from './ActivateSbom.tsx'
import { ButtonLink } from '../kit/text/links.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { ActiveChip, SbomStatusChip } from './SbomChips.tsx'

export function SbomHeader({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <PageHeader
      title={`${sbom.family.name} ${sbom.version ?? 'without version'}`}
      crumbs={[
        { name: 'Families', link: pages.families(slug) },
        { name: sbom.family.name, link: pages.family(slug, sbom.family.id) },
      ]}
      status={
        <>
          <SbomStatusChip status={sbom.status} />
          <ActiveChip active={sbom.active} />
        </>
      }
      actions={
        <>
          {sbom.replacedBy === null ? null : <ActivateSbom sbom={sbom} />}
          <CompareButton sbom={sbom} />
          <DownloadButton
            save={() => saveFile(downloadSbom, { params: { slug, sbom: sbom.id } }, `${sbom.id}.json`)}
          />
        </>
      }
    />
  )
}

/** Compares with the previous version; the page offers other SBOMs. The first SBOM of a family has no previous one. */
function comparedWith({ id, previous, replacedBy }: SbomDetail, slug: string) {
  if (previous !== null) return pages.comparison(slug, id, previous.id)
  return replacedBy === null
    ? pages.sbom(slug, id, { tab: 'changes' })
    : pages.comparison(slug, replacedBy.id, id)
}

function CompareButton({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const link = comparedWith(sbom, slug)
  return (
    <ButtonLink {...link} variant="default" leftSection={<IconArrowsDiff size={16} />}>
      Compare
    </ButtonLink>
  )
}
