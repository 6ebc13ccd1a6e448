import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import { HistoryTable } from './HistoryTable.tsx'
import { RemovedSboms } from './old-sboms/RemovedSboms.tsx'
import { RetentionCard } from './old-sboms/RetentionCard.tsx'

/** The SBOMs sent for a family: those kept, and what remains of removed ones. */
export function HistoryTab({ family }: { family: FamilyDetail }): ReactNode {
  return (
    <Stack gap="lg">
      <RetentionCard family={family} />
      <div>
        <HistoryTable familyId={family.id} />
      </div>
      <RemovedSboms familyId={family.id} />
    </Stack>
  )
}
