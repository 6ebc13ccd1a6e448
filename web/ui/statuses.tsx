import {
  IconBan,
  IconCircleCheckFilled,
  IconCircleDot,
  IconClockOff,
  IconHistory,
  IconLoader2,
  IconXboxXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SbomStatus } from '../../src/contract/sbom.ts'
import type { TokenStatus } from '../../src/contract/tokens.ts'
import { Chip } from './Chip.tsx'

export function SbomStatusChip({ status }: { status: SbomStatus }): ReactNode {
  switch (status) {
    case 'received':
    case 'parsed':
      return (
        <Chip
          tone="pending"
          Icon={IconLoader2}
          spins
          title="Stored; matching against the vulnerability data is running"
        >
          {status}
        </Chip>
      )
    case 'matched':
      return (
        <Chip tone="good" Icon={IconCircleCheckFilled} title="Matched against the vulnerability data">
          matched
        </Chip>
      )
    case 'failed':
      return (
        <Chip tone="bad" Icon={IconXboxXFilled} title="Matching failed after its retries">
          failed
        </Chip>
      )
  }
}

/** Whether an SBOM is the one its product version is judged by. */
export function ActiveChip({ active }: { active: boolean }): ReactNode {
  return active ? (
    <Chip tone="plain" Icon={IconCircleDot} title="The findings of its version come from this SBOM">
      active
    </Chip>
  ) : (
    <Chip
      tone="neutral"
      Icon={IconHistory}
      title="Kept as history; another SBOM is active, or the version is retired"
    >
      not active
    </Chip>
  )
}

export function TokenStatusChip({ status }: { status: TokenStatus }): ReactNode {
  switch (status) {
    case 'Active':
      return (
        <Chip tone="good" Icon={IconCircleCheckFilled}>
          Active
        </Chip>
      )
    case 'Expired':
      return (
        <Chip tone="neutral" Icon={IconClockOff}>
          Expired
        </Chip>
      )
    case 'Revoked':
      return (
        <Chip tone="neutral" Icon={IconBan}>
          Revoked
        </Chip>
      )
  }
}
