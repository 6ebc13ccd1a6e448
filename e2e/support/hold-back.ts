import type { Page, Route } from 'playwright-core'
import type { Method } from '../../src/contract/operation.ts'

export type HeldBack = {
  /** Number of waiting requests. */
  waiting: () => number
  /** Releases the waiting requests, and all later ones. */
  letGo: () => Promise<void>
}

/** A slow network: requests with this method and a matching path wait until they are released. */
export async function holdBack(page: Page, method: Method, path: RegExp): Promise<HeldBack> {
  const { promise, resolve } = Promise.withResolvers<null>()
  let waiting = 0
  const fits = ({ pathname }: URL) => path.test(pathname)
  const wait = async (route: Route) => {
    if (route.request().method() !== method) {
      await route.fallback()
      return
    }
    waiting += 1
    await promise
    waiting -= 1
    await route.fallback()
  }
  await page.route(fits, wait)
  return {
    waiting: () => waiting,
    letGo: async () => {
      resolve(null)
      await page.unroute(fits, wait)
    },
  }
}
