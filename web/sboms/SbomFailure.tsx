import { rematchSbom } from '#contract/sbom/operations.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Box, Group, Text } from '@mantine/core'
import { IconRefresh, IconXboxXFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import styles from './SbomFailure.module.css'

/** Why matching failed, with a button to run it again. */
export function SbomFailure({ sbom }: { sbom: SbomDetail }): ReactNode {
  const workspace = useWorkspace()
  const rematch = useAct({
    slug: workspace.slug,
    send: () => call(rematchSbom, { params: { slug: workspace.slug, sbom: sbom.id } }),
    done: () => 'Matching has been started again.',
  })
  return (
    <div className={styles['failure']} role="alert">
      <IconXboxXFilled size={18} aria-hidden className={styles['icon']} />
      <Box flex={1} miw={0}>
        <Text fw={600}>Matching failed. The findings below may be out of date or missing.</Text>
        <Text c="dimmed">
          <Foreign>{sbom.failure ?? 'No reason was recorded.'}</Foreign>
        </Text>
        <Problem error={rematch.error} />
      </Box>
      <Group>
        <ActionButton
          size="xs"
          leftSection={<IconRefresh size={14} />}
          refused={refusal(workspace, rematchSbom.permission)}
          loading={rematch.isPending}
          onClick={rematch.mutate}
        >
          Run matching again
        </ActionButton>
      </Group>
    </div>
  )
}
