import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { undoBatch } from '#contract/findings/operations.ts'
import { workspaceKey } from '../../kit/api/query-of.ts'
import { call } from '../../kit/api/call.ts'
import { refreshWhileSettling } from '../../kit/api/settling.ts'
import { formatNoun } from '../../kit/text/format.ts'

const offeredMs = 20_000

/** Confirms that a verdict was recorded, with a button that undoes the whole act. */
export function useUndo(slug: string): (batch: string, findings: number) => void {
  const queryClient = useQueryClient()

  const undone = useRef(new Set<string>())

  async function undo(batch: string): Promise<void> {
    // The message can still be clicked while it fades out.
    if (undone.current.has(batch)) return
    undone.current.add(batch)
    notifications.hide(batch)
    try {
      const { revoked } = await call(undoBatch, { params: { slug, batch } })
      notifications.show({
        message: `Undone: ${formatNoun(revoked, 'decision is', 'decisions are')} no longer in force.`,
        withBorder: true,
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      notifications.show({
        message: `The verdict could not be undone. ${reason}`,
        color: 'red.9',
        withBorder: true,
      })
    }
    refreshWhileSettling(queryClient, slug)
    await queryClient.invalidateQueries({ queryKey: workspaceKey(slug) })
  }

  return (batch, findings) => {
    notifications.show({
      id: batch,
      autoClose: offeredMs,
      color: 'green.9',
      withBorder: true,
      message: (
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Text inherit>The verdict on {formatNoun(findings, 'finding')} has been recorded.</Text>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              void undo(batch)
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    })
  }
}
