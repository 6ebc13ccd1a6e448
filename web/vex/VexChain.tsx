import { Foreign } from '../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { VexDocumentDetail, VexDocumentReference } from '#contract/vex/documents.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { TextLink } from '../kit/text/links.tsx'
import { Moment, ZonedTime } from '../kit/time/Time.tsx'

/** What replaced it, what it replaced, and whether it was withdrawn. */
export function VexChain({ document }: { document: VexDocumentDetail }): ReactNode {
  const { state, replacedBy, replaces, withdrawnAt, withdrawnBy } = document
  const isSilent = replacedBy === null && replaces.length === 0 && withdrawnAt === null
  if (isSilent && state !== 'replaced') return null
  return (
    <Text c="dimmed" mb="md">
      {withdrawnAt === null ? null : (
        <>
          Withdrawn
          {withdrawnBy === null ? null : (
            <>
              {' '}
              by <Foreign>{withdrawnBy}</Foreign>
            </>
          )}{' '}
          on <ZonedTime at={withdrawnAt} />; its statements do not count.{' '}
        </>
      )}
      {replacedBy === null ? null : (
        <>
          Replaced by the <DocumentLink document={replacedBy} />.{' '}
        </>
      )}
      {state === 'replaced' && replacedBy === null ? 'The SBOM that contains it is not active. ' : null}
      <Replaced documents={replaces} />
    </Text>
  )
}

const shown = 3

function Replaced({ documents }: { documents: VexDocumentReference[] }): ReactNode {
  if (documents.length === 0) return null
  return (
    <>
      It took the place of the{' '}
      {documents.slice(0, shown).map((document, at) => (
        <span key={document.id}>
          {at === 0 ? '' : ', the '}
          <DocumentLink document={document} />
        </span>
      ))}
      {documents.length > shown ? ` and ${documents.length - shown} more` : ''}.
    </>
  )
}

function DocumentLink({ document }: { document: VexDocumentReference }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <TextLink {...pages.vex(slug, document.id)} underline="always">
      {document.formatLabel} document of <Moment at={document.receivedAt} />
    </TextLink>
  )
}
