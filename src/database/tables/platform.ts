import type { Generated } from 'kysely'

/** What tells whether the disk takes writes, and whether the keys are right. */
export type PlatformTables = { store_probe: StoreProbeTable; sealing_canary: SealingCanaryTable }

type SealingCanaryTable = { id: Generated<boolean>; envelope: Buffer; sealed_at: Date }

type StoreProbeTable = { filler: string }
