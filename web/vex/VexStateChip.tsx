import { IconBan, IconCircleDot, IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { VexDocumentState } from '#contract/vex/documents.ts'
import { StatusChip, type Look } from '../kit/text/Chip.tsx'

const looks: Record<VexDocumentState, Look> = {
  active: { word: 'active', tone: 'plain', Icon: IconCircleDot, title: 'Its statements count' },
  replaced: {
    word: 'replaced',
    tone: 'neutral',
    Icon: IconHistory,
    title: 'Replaced by a later document; kept as history',
  },
  withdrawn: {
    word: 'withdrawn',
    tone: 'neutral',
    Icon: IconBan,
    title: 'Withdrawn by a member; its statements do not count',
  },
}

/** Whether the document's statements count. */
export function VexStateChip({ state }: { state: VexDocumentState }): ReactNode {
  return <StatusChip {...looks[state]} />
}
