import { IconCircleCheckFilled, IconXboxXFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ConnectorRefusal } from '../../../../src/contract/connector.ts'
import { Chip } from '../../../ui/Chip.tsx'

/** Whether the BOM of the project has arrived after all. */
export function RefusalState({
  refusal: { resolvedAt, projectName },
}: {
  refusal: ConnectorRefusal
}): ReactNode {
  const why =
    projectName === null
      ? 'The request did not name its project, so only a person can tell whether it has been dealt with'
      : 'No BOM of this project has been accepted since'
  return resolvedAt === null ? (
    <Chip tone="bad" Icon={IconXboxXFilled} title={why}>
      open
    </Chip>
  ) : (
    <Chip tone="good" Icon={IconCircleCheckFilled} title="A BOM of this project has been accepted since">
      settled
    </Chip>
  )
}
