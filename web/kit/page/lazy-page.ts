import { lazyRouteComponent } from '@tanstack/react-router'
import { PageNotLoaded } from '../api/page-not-loaded.ts'

type Component = Parameters<typeof lazyRouteComponent<{ default: () => React.ReactNode }>>[0]

/** A page whose code is loaded when it is opened; on failure the page says so and offers to retry. */
export function lazyPage(load: Component) {
  return lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw new PageNotLoaded(error)
    }
  })
}
