import { Foreign } from '../../kit/text/Foreign.tsx'
import { Group } from '@mantine/core'
import { IconArrowsDiagonal } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { findingQuery } from '../../findings/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { CopyIcon } from '../../kit/text/CopyText.tsx'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { ButtonLink } from '../../kit/text/links.tsx'
import { FindingEvidence } from '../../findings/evidence/FindingEvidence.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'

type Props = { findingId: string | undefined; onClose: () => void }

/** The evidence of a finding beside the table. */
export function FindingDrawer({ findingId, onClose }: Props): ReactNode {
  return (
    <DetailDrawer
      title={<DrawerTitle findingId={findingId} />}
      opened={findingId !== undefined}
      onClose={onClose}
    >
      {findingId === undefined ? null : <DrawerContent key={findingId} findingId={findingId} />}
    </DetailDrawer>
  )
}

function DrawerTitle({ findingId }: { findingId: string | undefined }): ReactNode {
  const { slug } = useWorkspace()
  const finding = useQuery({ ...findingQuery(slug, findingId ?? ''), enabled: findingId !== undefined }).data
  if (finding === undefined) return 'Finding'
  return (
    <>
      <Foreign>{finding.title}</Foreign> <CopyIcon text={finding.title} what={finding.title} />
    </>
  )
}

function DrawerContent({ findingId }: { findingId: string }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Loaded query={useQuery(findingQuery(slug, findingId))}>
      {(finding) => (
        <>
          <FindingEvidence finding={finding} />
          <Group mt="lg">
            <ButtonLink
              {...pages.finding(slug, findingId)}
              variant="default"
              size="xs"
              leftSection={<IconArrowsDiagonal size={14} />}
            >
              Open as a page
            </ButtonLink>
          </Group>
        </>
      )}
    </Loaded>
  )
}
