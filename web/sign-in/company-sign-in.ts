import { beginCompanyConfirmation, beginCompanySignIn } from '#contract/people/operations/sign-in.ts'
import { returnPath } from './paths.ts'
import { call } from '../kit/api/call.ts'
import { leaveFor } from '../kit/api/leave-for.ts'
import { useSend, type Send } from '../kit/api/use-send.ts'

const key = 'after-company-sign-in'

/** To the issuer of the workspace that is given; `next` is the page of this application that is opened afterwards. */
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

/** The same for a proof before a dangerous act. The act itself is done again afterwards: the page is left. */
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
 * The issuer comes back to one address that it was told beforehand, so this tab keeps where it goes from there. A browser without
 * storage opens the first page.
 */
function goAndComeBack(url: string, next: string | undefined): void {
  withStorage((storage) => {
    if (next === undefined) storage.removeItem(key)
    else storage.setItem(key, next)
  })
  leaveFor(url)
}

/** The page of this application that was asked for before the browser went to the issuer. */
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
