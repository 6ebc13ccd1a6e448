import type { Page, Route } from 'playwright-core'
import type { Method } from '../../src/contract/operation.ts'

export type HeldBack = {
  /** How many requests wait. */
  waiting: () => number
  /** Lets those that wait go on, and all that come later. */
  letGo: () => Promise<void>
}

/** A slow network: requests of this method whose path fits wait until they are let go. */
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
