import { Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { exportWorkspace } from '#contract/workspace/closing-operations.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { Card } from '../../kit/page/Card.tsx'
import { Problem } from '../../kit/page/Problem.tsx'

/** Works in every state of the workspace. */
export function ExportCard(): ReactNode {
  const { slug } = useWorkspace()
  const exporting = useAct({
    slug,
    send: () => saveFile(exportWorkspace, { params: { slug } }, `${slug}-export.tar.gz`),
  })
  return (
    <Card title="Export the workspace">
      <Stack gap="sm" align="flex-start">
        <Text>
          One archive (.tar.gz) with the settings, SBOMs, VEX documents, findings, incidents, advisories, the
          inbox and the audit trail; it holds no secrets, but what reporters wrote to you.
        </Text>
        <Problem error={exporting.error} />
        <ActionButton
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={exporting.isPending}
          onClick={() => {
            exporting.mutate()
          }}
        >
          Export the workspace
        </ActionButton>
      </Stack>
    </Card>
  )
}
