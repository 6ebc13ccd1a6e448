import { useDisclosure } from '@mantine/hooks'
import { useAct, type Act } from '../api/use-act.ts'
import { useSlug } from '../api/use-slug.ts'
import type { Confirmation } from './ConfirmModal.tsx'

export type ConfirmedAct<Output> = Omit<Act<void, Output>, 'slug' | 'final'>

type Asking = {
  ask: () => void
  /** For the `ConfirmModal` that asks. */
  confirmation: Confirmation
}

/** An act sent after a confirmation, which closes when it is done. */
export function useConfirmedAct<Output>({ onDone, ...act }: ConfirmedAct<Output>): Asking {
  const slug = useSlug()
  const [isAsking, asking] = useDisclosure(false)
  const { mutate, isPending, error } = useAct({
    ...act,
    slug,
    onDone: (output: Output) => {
      asking.close()
      return onDone?.(output)
    },
  })
  return {
    ask: asking.open,
    confirmation: {
      opened: isAsking,
      onClose: asking.close,
      isRunning: isPending,
      error,
      onConfirm: mutate,
    },
  }
}
