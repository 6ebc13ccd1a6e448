import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DiscardQuestion } from './DiscardQuestion.tsx'
import { isUnsent, isUnsentOrSending } from './unsent.ts'

const shouldBlockFn = () => isUnsent()

/** Asks before leaving a page with unsent text; when leaving the application, the browser asks in its own words. */
export function LeaveGuard(): ReactNode {
  const way = useBlocker({ shouldBlockFn, enableBeforeUnload: isUnsentOrSending, withResolver: true })
  return (
    <DiscardQuestion
      opened={way.status === 'blocked'}
      onStay={() => way.reset?.()}
      onDiscard={() => way.proceed?.()}
    />
  )
}
