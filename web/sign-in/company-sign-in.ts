import { beginCompanyConfirmation, beginCompanySignIn } from '#contract/people/operations/sign-in.ts'
import { returnPath } from './area.ts'
import { call } from '../kit/api/call.ts'
import { leaveFor } from '../kit/api/leave-for.ts'
import { useSend, type Send } from '../kit/api/use-send.ts'

const key = 'after-company-sign-in'

/** Redirects to the issuer of the given workspace; `next` is the page that opens afterwards. */
export function useCompanySignIn(next: string | undefined): Send<string> {
  return useSend({
    send: (workspace: string) => call(beginCompanySignIn, { body: { workspace } }),
    onSuccess: ({ url }) => {
      goAndComeBack(url, next)
    },
    final: true,
    signsIn: true,
  })
}

/** The same as a proof of identity before a dangerous act. The page is left, so the act is repeated afterwards. */
export function useCompanyConfirmation(next: string): Send<string> {
  return useSend({
    send: (workspace: string) => call(beginCompanyConfirmation, { body: { workspace } }),
    onSuccess: ({ url }) => {
      goAndComeBack(url, next)
    },
    final: true,
  })
}

/**
 * The issuer redirects to one registered address, so this tab stores where to go from there. A browser without storage opens the first
 * page.
 */
function goAndComeBack(url: string, next: string | undefined): void {
  withStorage((storage) => {
    if (next === undefined) storage.removeItem(key)
    else storage.setItem(key, next)
  })
  leaveFor(url)
}

/** The page requested before the browser went to the issuer. */
export function pageToComeBackTo(): string | undefined {
  return withStorage((storage) => returnPath(storage.getItem(key)))
}

function withStorage<Value>(act: (storage: Storage) => Value): Value | undefined {
  try {
    return act(window.sessionStorage)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
