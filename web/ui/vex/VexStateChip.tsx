import { IconBan, IconCircleDot, IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { VexDocumentState } from '../../../src/contract/vex-documents.ts'
import { Chip } from '../Chip.tsx'

/** Whether the statements of a document count. */
export function VexStateChip({ state }: { state: VexDocumentState }): ReactNode {
  switch (state) {
    case 'active':
      return (
        <Chip tone="plain" Icon={IconCircleDot} title="Its statements count">
          active
        </Chip>
      )
    case 'replaced':
      return (
        <Chip tone="neutral" Icon={IconHistory} title="Replaced by a later document; kept as history">
          replaced
        </Chip>
      )
    case 'withdrawn':
      return (
        <Chip tone="neutral" Icon={IconBan} title="Withdrawn by a member; its statements do not count">
          withdrawn
        </Chip>
      )
  }
}
