import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Grade } from '#contract/findings/shapes.ts'
import { StatusChip, type Look } from '../kit/text/Chip.tsx'

const looks: Record<Grade, Look> = {
  exact: {
    word: 'exact',
    tone: 'plain',
    Icon: IconCircleCheck,
    title: 'Identity, version and range are certain',
  },
  possible: {
    word: 'possible',
    tone: 'neutral',
    Icon: IconCircleDashed,
    title: 'Part of the match is uncertain; the finding says which',
  },
}

/** How certain a match is. */
export function GradeMark({ grade }: { grade: Grade }): ReactNode {
  return <StatusChip {...looks[grade]} />
}
