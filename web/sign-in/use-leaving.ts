import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { pages } from '../areas.ts'
import { countKeptTexts, dropAllTexts } from '../kit/unsaved/kept-texts.ts'
import { sessionQuery } from './session-query.ts'
import { giveUpUnsaved, saveUnsaved } from '../kit/unsaved/unsaved.ts'
import { isUnsent } from '../kit/unsaved/unsent.ts'
import { useSend, type Send } from '../kit/api/use-send.ts'

/**
 * An act that ends this browser's session: goes to the sign-in page and clears the cache. Typed text is saved first; if that fails, the
 * first attempt says so and the second discards it.
 */
export function useLeaving(send: () => Promise<unknown>): Send<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isWarned = useRef(false)
  const person = () => queryClient.getQueryData(sessionQuery.queryKey)?.person.id ?? ''
  return useSend({
    send: async (): Promise<boolean> => {
      await saveUnsaved(person())
      const message = whatWouldBeLost(person())
      if (message !== undefined && !isWarned.current) {
        isWarned.current = true
        notifications.show({
          title: 'You are still signed in',
          message,
          color: 'orange',
          withBorder: true,
          autoClose: 15_000,
        })
        return false
      }
      await send()
      return true
    },
    onSuccess: async (hasLeft) => {
      if (!hasLeft) return
      giveUpUnsaved(person())
      dropAllTexts(person())
      queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
      await navigate({ ...pages.signIn(), ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: ['workspace'] })
    },
  })
}

function whatWouldBeLost(person: string): string | undefined {
  if (countKeptTexts(person) > 0)
    return 'The draft of a report has text that is not saved. Open it and save the text, or sign out once more to give it up.'
  if (isUnsent())
    return 'What you typed on this page is not saved. Save or send it, or sign out once more to give it up.'
  return undefined
}
