import { Tabs } from '@mantine/core'
import { IconArchive, IconKey } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import type { SbomRow } from '#contract/sbom/rows.ts'
import { familyQuery, familySbomsQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { IncidentLinks } from '../incidents/IncidentLinks.tsx'
import { familyTabs } from './area.ts'
import { pages } from '../areas.ts'
import { Chip } from '../kit/text/Chip.tsx'
import { Covered, NotJudged } from '../findings/Covered.tsx'
import { ExploitedCount } from '../findings/ExploitedCount.tsx'
import { Facts } from '../kit/page/Facts.tsx'
import { formatCount } from '../kit/text/format.ts'
import { ButtonLink } from '../kit/text/links.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { showOpenTab } from '../kit/page/PageTabs.tsx'
import { MalwareCount } from '../findings/MalwareCount.tsx'
import { SeverityCounts } from '../findings/SeverityCounts.tsx'
import { Moment } from '../kit/time/Time.tsx'
import { ReportedTab } from './vex/ReportedTab.tsx'
import { VexTab } from './vex/VexTab.tsx'
import { FamilyMenu } from './FamilyMenu.tsx'
import { FirstUpload } from '../uploads/FirstUpload.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { ProductTab } from './ProductTab.tsx'
import { TrendTab } from './trend/TrendTab.tsx'
import { UploadTab } from '../uploads/UploadTab.tsx'
import { VersionsTable } from './VersionsTable.tsx'
import { both, Loaded } from '../kit/page/Loaded.tsx'

const tabNames = {
  versions: 'Versions',
  vex: 'VEX',
  reported: 'Reported',
  trend: 'Over time',
  history: 'SBOM history',
  upload: 'Upload',
  product: 'Product facts',
} as const

/** A product family: its versions, every SBOM sent for it, and how to send one. */
export default function FamilyPage(): ReactNode {
  const { family: familyId } = useParams({ from: '/signed-in/$slug/families/$family' })
  const { slug } = useWorkspace()
  const family = useQuery(familyQuery(slug, familyId))
  const sboms = useInfiniteQuery(familySbomsQuery(slug, familyId))
  return (
    <Loaded
      query={both(family, sboms)}
      head={<PageHeader title="Family" crumbs={[{ name: 'Families', link: pages.families(slug) }]} />}
    >
      {([known, { pages: sent }]) => (
        <>
          <FamilyHeader family={known} />
          <FamilyBody key={familyId} family={known} first={sent[0]?.rows[0]} />
        </>
      )}
    </Loaded>
  )
}

function FamilyHeader({ family }: { family: FamilyDetail }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <PageHeader
      title={family.name}
      crumbs={[{ name: 'Families', link: pages.families(slug) }]}
      status={
        family.archivedAt === null ? undefined : (
          <Chip
            tone="neutral"
            Icon={IconArchive}
            title="Requests with its tokens get 401 until it is restored"
          >
            archived
          </Chip>
        )
      }
      actions={
        <>
          <ButtonLink
            {...pages.tokens(slug, { family: family.id })}
            variant="default"
            leftSection={<IconKey size={16} />}
          >
            Tokens
          </ButtonLink>
          <FamilyMenu family={family} />
        </>
      }
    />
  )
}

type BodyProps = { family: FamilyDetail; first: SbomRow | undefined }

/** A family without an SBOM waits for its first one and opens it. */
function FamilyBody({ family, first }: BodyProps): ReactNode {
  const { slug } = useWorkspace()
  const [isWaiting] = useState(first === undefined)
  if (!isWaiting) return <FamilyContent family={family} />
  return first === undefined ? (
    <FirstUpload family={family} />
  ) : (
    <Navigate {...pages.sbom(slug, first.id)} replace />
  )
}

/** Where nothing could be checked, the number of findings is unknown. */
function FamilyFacts({ family }: { family: FamilyDetail }): ReactNode {
  const active = family.versions.filter(({ retiredAt }) => retiredAt === null)
  const { findings, judged } = family
  const isSilent = findings.total === 0 && judged.covered === 0
  return (
    <Facts
      facts={[
        { name: 'Active versions', value: formatCount(active.length) },
        { name: 'Open findings', value: isSilent ? <NotJudged /> : formatCount(findings.total) },
        {
          name: 'Vulnerabilities',
          value: isSilent ? <NotJudged /> : formatCount(findings.vulnerabilities),
        },
        { name: 'Malware', value: isSilent ? <NotJudged /> : <MalwareCount counts={findings} /> },
        { name: 'Exploited', value: isSilent ? <NotJudged /> : <ExploitedCount counts={findings} /> },
        {
          name: 'By severity',
          value: isSilent ? <NotJudged /> : <SeverityCounts counts={findings.bySeverity} />,
        },
        { name: 'Covered', value: <Covered judged={judged} /> },
        { name: 'Created', value: <Moment at={family.createdAt} /> },
      ]}
    />
  )
}

function FamilyContent({ family }: { family: FamilyDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { tab = 'versions' } = useSearch({ from: '/signed-in/$slug/families/$family' })
  const navigate = useNavigate()
  return (
    <>
      <FamilyFacts family={family} />
      <IncidentLinks family={family.id} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const next = familyTabs.find((name) => name === value)
          void navigate(
            pages.family(slug, family.id, next === undefined || next === 'versions' ? {} : { tab: next }),
          )
        }}
      >
        <Tabs.List ref={showOpenTab} mb="md">
          {familyTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabNames[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="versions">
          <VersionsTable family={family} />
        </Tabs.Panel>
        <Tabs.Panel value="vex">
          <VexTab family={family} />
        </Tabs.Panel>
        <Tabs.Panel value="reported">
          <ReportedTab family={family} />
        </Tabs.Panel>
        <Tabs.Panel value="trend">
          <TrendTab familyId={family.id} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryTab family={family} />
        </Tabs.Panel>
        <Tabs.Panel value="upload">
          <UploadTab family={family} />
        </Tabs.Panel>
        <Tabs.Panel value="product">
          <ProductTab family={family} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
