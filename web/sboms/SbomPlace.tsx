import { Foreign } from '../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import { IconArrowForwardUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SbomDetail, SbomReference } from '#contract/sbom/rows.ts'
import { sourceLabels } from '#contract/sbom/shapes.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { TextLink } from '../kit/text/links.tsx'
import { Moment } from '../kit/time/Time.tsx'

/** Who sent it, from where, when, and its place in the history of its version. */
export function SbomPlace({ sbom }: { sbom: SbomDetail }): ReactNode {
  return (
    <Text c="dimmed" mt={-8} mb="md">
      Sent by{' '}
      <strong>
        <Foreign>{sbom.sentBy}</Foreign>
      </strong>{' '}
      · Source {sourceLabels[sbom.source]} · <Moment at={sbom.receivedAt} />
      {sbom.replaces === null ? null : (
        <>
          {' '}
          · replaces <Reference reference={sbom.replaces} />
        </>
      )}
      {sbom.replacedBy === null ? null : (
        <>
          {' '}
          · <IconArrowForwardUp size={14} aria-hidden style={{ verticalAlign: -2 }} /> replaced by{' '}
          <Reference reference={sbom.replacedBy} />
        </>
      )}
    </Text>
  )
}

function Reference({ reference }: { reference: SbomReference }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <TextLink {...pages.sbom(slug, reference.id)} underline="always">
      <Foreign>{reference.version ?? 'the SBOM'}</Foreign> of <Moment at={reference.receivedAt} />
    </TextLink>
  )
}
