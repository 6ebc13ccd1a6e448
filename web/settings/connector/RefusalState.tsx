import { IconCircleCheckFilled, IconXboxXFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ConnectorRefusal } from '#contract/connector/shapes.ts'
import { StatusChip, type Look } from '../../kit/text/Chip.tsx'

const looks = {
  unnamed: {
    word: 'open',
    tone: 'bad',
    Icon: IconXboxXFilled,
    title: 'The request did not name its project, so only a person can tell whether it has been dealt with',
  },
  open: {
    word: 'open',
    tone: 'bad',
    Icon: IconXboxXFilled,
    title: 'No BOM of this project has been accepted since',
  },
  settled: {
    word: 'settled',
    tone: 'good',
    Icon: IconCircleCheckFilled,
    title: 'A BOM of this project has been accepted since',
  },
} as const satisfies Record<string, Look>

/** Whether the project's BOM has arrived since. */
export function RefusalState({
  refusal: { resolvedAt, projectName },
}: {
  refusal: ConnectorRefusal
}): ReactNode {
  if (resolvedAt !== null) return <StatusChip {...looks.settled} />
  return <StatusChip {...(projectName === null ? looks.unnamed : looks.open)} />
}
