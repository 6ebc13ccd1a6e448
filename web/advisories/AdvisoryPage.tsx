import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { AdvisoryDetail, AdvisoryVersionRow } from '#contract/advisories/shapes.ts'
import { beginAdvisoryDraft, downloadAdvisoryVersion } from '#contract/advisories/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { openAdvisoryQuery } from './queries.ts'
import { call } from '../kit/api/call.ts'
import { saveFile } from '../kit/api/save-file.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useSend } from '../kit/api/use-send.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { Card } from '../kit/page/Card.tsx'
import { Empty } from '../kit/page/Empty.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import type { Column } from '../kit/table/column.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { CopyText } from '../kit/text/CopyText.tsx'
import { ExternalLink } from '../kit/text/ExternalLink.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { Moment } from '../kit/time/Time.tsx'
import { ChangeTrackingId } from './ChangeTrackingId.tsx'
import { DeleteDraft } from './DeleteDraft.tsx'
import { DraftEditor } from './editor/DraftEditor.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import type { Crumb } from '../kit/page/Crumbs.tsx'

/** One advisory: its draft beside the preview, and the published versions. */
export default function AdvisoryPage(): ReactNode {
  const { advisory: id } = useParams({ from: '/signed-in/$slug/advisories/$advisory' })
  const { slug } = useWorkspace()
  return (
    <Loaded
      query={useQuery(openAdvisoryQuery(slug, id))}
      head={<PageHeader title="Advisory" crumbs={crumbsTo(slug)} />}
    >
      {(advisory) => <Advisory key={id} advisory={advisory} />}
    </Loaded>
  )
}

function crumbsTo(slug: string): Crumb[] {
  return [{ name: 'Advisories', link: pages.advisories(slug) }]
}

function Advisory({ advisory }: { advisory: AdvisoryDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { trackingId, draft, versions } = advisory
  const [lastSeen, setLastSeen] = useState(draft)
  if (draft !== null && draft !== lastSeen) setLastSeen(draft)
  const isPublished = versions.length > 0
  const title = titleOf(advisory)
  return (
    <>
      <PageHeader
        title={title ?? trackingId}
        crumbs={crumbsTo(slug)}
        actions={<DraftActions advisory={advisory} />}
        about={
          <>
            {title === undefined ? null : <CopyText text={trackingId} what="ID" />}
            {title === undefined || isPublished ? null : ' · '}
            {isPublished ? null : 'A draft: none of it is published yet.'}
          </>
        }
      />
      <Stack gap="lg">
        <MadeFrom advisory={advisory} />
        {isPublished ? <Published advisory={advisory} /> : null}
        {lastSeen === null ? null : (
          <DraftEditor advisory={advisory} draft={draft ?? lastSeen} isGone={draft === null} />
        )}
      </Stack>
    </>
  )
}

/** The title as published, else as drafted; undefined if there is none yet. */
function titleOf({ versions, draft }: AdvisoryDetail): string | undefined {
  const title = versions[0]?.title ?? draft?.content.title ?? ''
  return title === '' ? undefined : title
}

function MadeFrom({ advisory: { links } }: { advisory: AdvisoryDetail }): ReactNode {
  const { slug } = useWorkspace()
  if (links.length === 0) return null
  return (
    <Text size="sm">
      Made from{' '}
      {links.map((link, at) => (
        <span key={link.id}>
          {at === 0 ? '' : ', '}
          {link.kind === 'incident' ? (
            <TextLink {...pages.incident(slug, link.id)}>{link.reference}</TextLink>
          ) : (
            <TextLink {...pages.inboxReport(slug, link.number)}>report #{link.number}</TextLink>
          )}
        </span>
      ))}
    </Text>
  )
}

function DraftActions({ advisory }: { advisory: AdvisoryDetail }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const begin = useAct({
    slug,
    send: () => call(beginAdvisoryDraft, { params: { slug, advisory: advisory.id } }),
  })
  if (advisory.draft !== null) {
    return (
      <>
        <ChangeTrackingId advisory={advisory} />
        <DeleteDraft advisory={advisory} draft={advisory.draft} />
      </>
    )
  }
  return (
    <>
      <ActionButton
        refused={refusal(workspace, 'draft_advisories')}
        loading={begin.isPending}
        onClick={() => {
          begin.mutate()
        }}
      >
        Write a new version
      </ActionButton>
      <Problem error={begin.error} />
    </>
  )
}

function versionColumns(onDownload: (number: string) => void): Column<AdvisoryVersionRow>[] {
  return [
    { id: 'number', header: 'Version', widthPx: 90, phoneWidthPx: 70, cell: ({ number }) => number },
    { id: 'tlp', header: 'TLP', widthPx: 90, phoneWidthPx: 66, cell: ({ tlp }) => tlp },
    {
      id: 'summary',
      header: 'What is new',
      whole: true,
      cell: ({ summary }) => <Foreign>{summary}</Foreign>,
    },
    {
      id: 'at',
      header: 'Published',
      widthPx: 170,
      from: 'sm',
      cell: ({ releasedAt }) => <Moment at={releasedAt} />,
    },
    {
      id: 'by',
      header: 'By',
      widthPx: 150,
      from: 'md',
      cell: ({ publishedBy }) => <Foreign>{publishedBy}</Foreign>,
    },
    {
      id: 'file',
      header: 'Document',
      widthPx: 130,
      from: 'sm',
      cell: ({ number }) => (
        <ActionButton
          size="compact-xs"
          variant="subtle"
          onClick={() => {
            onDownload(number)
          }}
        >
          Download
        </ActionButton>
      ),
    },
  ]
}

function Published({ advisory }: { advisory: AdvisoryDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { id, versions, publicUrls } = advisory
  const download = useSend({
    send: (number: string) =>
      saveFile(downloadAdvisoryVersion, { params: { slug, advisory: id, number } }, `${number}.json`),
  })
  const columns = versionColumns((number) => {
    download.mutate(number)
  })
  return (
    <Card title="Published versions">
      <Problem error={download.error} />
      <DataTable
        label="Published versions"
        columns={columns}
        rows={versions}
        rowId={({ number }) => number}
        empty={<Empty why="Nothing is published yet." />}
      />
      {publicUrls === null ? null : (
        <Stack gap={4} mt="sm">
          <Text size="sm">
            <ExternalLink href={publicUrls.page}>Public page</ExternalLink>,{' '}
            <ExternalLink href={publicUrls.document}>document in the feed</ExternalLink>
          </Text>
          <Text size="sm" c="dimmed">
            SHA-256 of the document in force
          </Text>
          <CopyText text={versions[0]?.sha256 ?? ''} what="SHA-256" />
        </Stack>
      )}
    </Card>
  )
}
