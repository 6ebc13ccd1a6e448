import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DeliveryRow } from '#contract/alerts/shapes.ts'
import { safeUrl } from '../../../kit/text/safe-url.ts'
import { thingName } from '../words.ts'

/** Links to the page an event is about, as the receivers' link does. */
export function ThingLink({
  delivery: { type, url },
}: {
  delivery: Pick<DeliveryRow, 'type' | 'url'>
}): ReactNode {
  const name = thingName(type)
  const address = safeUrl(url)
  if (name === undefined || address === undefined) return <span className="dimmed">a test</span>
  return (
    <Anchor inherit href={address}>
      {name}
    </Anchor>
  )
}
