import { Text } from '@mantine/core'
import { IconUnlink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { VexDocumentDetail } from '#contract/vex/documents.ts'
import styles from './UnboundHelp.module.css'

/** Why statements have no effect, and how the sender can fix it. */
export function UnboundHelp({ document }: { document: VexDocumentDetail }): ReactNode {
  return (
    <aside className={styles['help']} aria-label="How to bind these statements">
      <IconUnlink size={18} aria-hidden />
      <div>
        <Text fw={600}>These statements are stored but have no effect.</Text>
        <Text>
          A statement is bound to components by their purl or CPE. Each row says what is missing. Correct it
          in the tool that writes the document and send it again the same way; the new document replaces this
          one.
        </Text>
        {document.format === 'cyclonedx' ? <DependencyTrackHelp /> : null}
      </div>
    </aside>
  )
}

/** Its VEX export names only the project, and gives the project's purl only if it has one. */
function DependencyTrackHelp(): ReactNode {
  return (
    <Text mt={6}>
      From Dependency-Track: its VEX export names only the project. Give the project a purl there (Project →
      Details → Package URL) and export again; or send the VDR instead (
      <code>/api/v1/bom/cyclonedx/project/…?variant=vdr</code>), which names each component.
    </Text>
  )
}
