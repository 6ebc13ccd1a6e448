import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Grade } from '../../../src/contract/finding.ts'
import { Chip } from '../Chip.tsx'

/** How sure a match is. */
export function GradeMark({ grade }: { grade: Grade }): ReactNode {
  return grade === 'exact' ? (
    <Chip tone="plain" Icon={IconCircleCheck} title="Identity, version and range are certain">
      exact
    </Chip>
  ) : (
    <Chip
      tone="neutral"
      Icon={IconCircleDashed}
      title="Part of the match is uncertain; the finding says which"
    >
      possible
    </Chip>
  )
}
