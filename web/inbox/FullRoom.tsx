import { IconDatabaseExclamation } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FileRoom } from '#contract/disclosure/shapes.ts'
import { Notice } from '../kit/page/Notice.tsx'
import { formatBytes } from '../kit/text/format.ts'

/** Share of the quota from which a warning shows. */
const nearlyFull = 0.9

/** Says when the form stops, or will soon stop, accepting files. */
export function FullRoom({ files: { usedBytes, maxBytes } }: { files: FileRoom }): ReactNode {
  if (usedBytes < nearlyFull * maxBytes) return null
  return (
    <Notice Icon={IconDatabaseExclamation}>
      The files of reports take {formatBytes(usedBytes)} of {formatBytes(maxBytes)}. When there is no room for
      a file, the form refuses it and names the contact address; reports without files are accepted. Erase
      reports whose files are no longer needed.
    </Notice>
  )
}
