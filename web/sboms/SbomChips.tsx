import {
  IconCircleCheckFilled,
  IconCircleDot,
  IconHistory,
  IconLoader2,
  IconXboxXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SbomStatus } from '#contract/sbom/shapes.ts'
import { StatusChip, type Look } from '../kit/text/Chip.tsx'

const beingMatched = {
  tone: 'pending',
  Icon: IconLoader2,
  spins: true,
  title: 'Stored; matching against the vulnerability data is running',
} as const

const sbomLooks: Record<SbomStatus, Look> = {
  received: { word: 'received', ...beingMatched },
  parsed: { word: 'parsed', ...beingMatched },
  matched: {
    word: 'matched',
    tone: 'good',
    Icon: IconCircleCheckFilled,
    title: 'Matched against the vulnerability data',
  },
  failed: { word: 'failed', tone: 'bad', Icon: IconXboxXFilled, title: 'Matching failed after its retries' },
}

export function SbomStatusChip({ status }: { status: SbomStatus }): ReactNode {
  return <StatusChip {...sbomLooks[status]} />
}

const activeLook: Look = {
  word: 'active',
  tone: 'plain',
  Icon: IconCircleDot,
  title: 'The findings of its version come from this SBOM',
}

const notActiveLook: Look = {
  word: 'not active',
  tone: 'neutral',
  Icon: IconHistory,
  title: 'Kept as history; another SBOM is active, or the version is retired',
}

/** Whether an SBOM is the active one of its version. */
export function ActiveChip({ active }: { active: boolean }): ReactNode {
  return <StatusChip {...(active ? activeLook : notActiveLook)} />
}
