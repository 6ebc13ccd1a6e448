import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AdvisoryDraft } from '#contract/advisories/shapes.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Moment } from '../../kit/time/Time.tsx'
import { Warning } from '../Warning.tsx'

/** Says that what is shown was saved by somebody else while the page was open. */
export function NewerText({ draft }: { draft: AdvisoryDraft | undefined }): ReactNode {
  return (
    <div role="status" aria-label="Newer text">
      {draft === undefined || draft.isOwn ? null : (
        <Text size="sm">
          Newer text, saved by <Foreign>{draft.editedBy}</Foreign>, <Moment at={draft.editedAt} />. It is
          shown here.
        </Text>
      )}
    </div>
  )
}

/** Instead of the buttons of a draft that is gone, above what was typed into it. */
export function DraftGone({ onDiscard }: { onDiscard: () => void }): ReactNode {
  return (
    <Warning title="This draft has been published or deleted">
      <Text size="sm">
        What you typed is not saved. It stays here until you leave the page: write a new version to put it in,
        or copy what you need.
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onDiscard}>
          Discard what I typed
        </Button>
      </Group>
    </Warning>
  )
}
