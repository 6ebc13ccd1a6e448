import type { ReactNode } from 'react'
import { Empty } from '../kit/page/Empty.tsx'
import { ImportHelp } from './ImportHelp.tsx'

/** No data yet: it arrives automatically, or somebody has to load it. */
export function NoSources({ switchedOff }: { switchedOff: readonly string[] }): ReactNode {
  if (switchedOff.length === 0) {
    return (
      <Empty why="No source has been loaded yet. The service loads them in the background after it starts." />
    )
  }
  return (
    <Empty
      why={`No source has been loaded yet. Switched off by the configuration: ${switchedOff.join(', ')}.`}
      next={<ImportHelp />}
    />
  )
}
