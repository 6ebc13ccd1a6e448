import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { familyQuery } from '../families/queries.ts'
import { findingQuery } from './queries.ts'
import type { Crumb } from '../kit/page/Crumbs.tsx'
import { refusal } from '../workspaces/access.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { CopyIcon } from '../kit/text/CopyText.tsx'
import { ButtonLink } from '../kit/text/links.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { IncidentLinks } from '../incidents/IncidentLinks.tsx'
import { FindingEvidence } from './evidence/FindingEvidence.tsx'
import { isMalware } from './MalwareMark.tsx'
import { ActionLink } from '../kit/actions/ActionLink.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'

/** One finding with everything that led to it. */
export default function FindingPage(): ReactNode {
  const { finding: findingId } = useParams({ from: '/signed-in/$slug/findings/$finding' })
  const workspace = useWorkspace()
  const { slug } = workspace
  const finding = useQuery(findingQuery(slug, findingId))
  const crumbs = useWayToFinding(finding.data)
  return (
    <Loaded query={finding} head={<PageHeader title="Finding" crumbs={crumbs} />}>
      {(known) => (
        <>
          <PageHeader
            title={known.title}
            crumbs={crumbs}
            status={<CopyIcon text={known.title} what={known.title} />}
            actions={
              <>
                <ButtonLink {...pages.vulnerability(slug, known.title)} variant="default">
                  In all products
                </ButtonLink>
                {isMalware(known) ? (
                  <ActionLink
                    link={pages.incidents(slug, { dialog: 'open', malware: known.id })}
                    refused={refusal(workspace, 'work_on_incidents')}
                  >
                    Open a severe incident
                  </ActionLink>
                ) : null}
              </>
            }
          />
          <IncidentLinks vulnerability={known.title} family={known.familyId} />
          <FindingEvidence finding={known} />
        </>
      )}
    </Loaded>
  )
}

type FindingVersion = { familyId: string; versionId: string | null }

/** Families, the family, and the SBOM that currently decides about its version. */
function useWayToFinding(place: FindingVersion | undefined): Crumb[] {
  const { slug } = useWorkspace()
  const family = useQuery({ ...familyQuery(slug, place?.familyId ?? ''), enabled: place !== undefined }).data
  const way: Crumb[] = [{ name: 'Families', link: pages.families(slug) }]
  if (family === undefined || place === undefined) return way
  way.push({ name: family.name, link: pages.family(slug, family.id) })
  const version = family.versions.find(({ id }) => id === place.versionId)
  if (version === undefined) return way
  const name = version.name ?? 'without version'
  way.push(version.activeSbom === null ? { name } : { name, link: pages.sbom(slug, version.activeSbom.id) })
  return way
}
