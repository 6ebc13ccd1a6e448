import { Button } from '@mantine/core'
import { IconArrowsDiff, IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SbomDetail } from '../../../src/contract/app.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { api, pages } from '../../paths.ts'
import { ActivateSbom } from '../../ui/ActivateSbom.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ActiveChip, SbomStatusChip } from '../../ui/statuses.tsx'

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
          <Button
            component="a"
            variant="default"
            leftSection={<IconDownload size={16} />}
            href={api.sbomDownload(slug, sbom.id)}
            download
          >
            Download
          </Button>
        </>
      }
    />
  )
}

/** Compares with the SBOM that this one replaced, or that took its place; another one is chosen on the page itself. */
function CompareButton({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const other = sbom.replaces ?? sbom.replacedBy
  const link =
    sbom.replaces === null && sbom.replacedBy !== null
      ? pages.comparison(slug, sbom.replacedBy.id, sbom.id)
      : pages.comparison(slug, sbom.id, other?.id ?? sbom.id)
  return (
    <ButtonLink {...link} variant="default" leftSection={<IconArrowsDiff size={16} />}>
      Compare
    </ButtonLink>
  )
}
