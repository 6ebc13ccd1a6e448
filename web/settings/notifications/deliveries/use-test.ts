import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DeliveryRow } from '#contract/alerts/shapes.ts'
import { testDestination } from '#contract/alerts/operations.ts'
import { deliveryQuery, isUnderWay } from '../queries.ts'
import { call } from '../../../kit/api/call.ts'
import { workspaceKey } from '../../../kit/api/query-of.ts'
import { useAct } from '../../../kit/api/use-act.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'

export type Test = {
  send: () => void
  isRunning: boolean
  /** The result; undefined until known. */
  result: DeliveryRow | undefined
  error: Error | null
}

/** Sends a test and polls for its result; then refetches everything else that shows it. */
export function useTest(destinationId: string): Test {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const [deliveryId, setDeliveryId] = useState<string | undefined>(undefined)
  const order = useAct({
    slug,
    send: () => call(testDestination, { params: { slug, destination: destinationId } }),
    onDone: ({ deliveryId: id }: { deliveryId: string }) => {
      setDeliveryId(id)
    },
  })
  const delivery = useQuery({ ...deliveryQuery(slug, deliveryId ?? ''), enabled: deliveryId !== undefined })
  const result = delivery.data === undefined || isUnderWay(delivery.data) ? undefined : delivery.data
  const settledId = result?.id

  useEffect(() => {
    if (settledId !== undefined) void queryClient.invalidateQueries({ queryKey: workspaceKey(slug) })
  }, [settledId, queryClient, slug])

  const error = order.error ?? (delivery.data === undefined ? delivery.error : null)
  const isFollowed = deliveryId !== undefined && result === undefined && error === null
  const isRunning = order.isPending || isFollowed
  return {
    send: () => {
      order.mutate()
    },
    isRunning,
    result: isRunning ? undefined : result,
    error: isRunning ? null : error,
  }
}
