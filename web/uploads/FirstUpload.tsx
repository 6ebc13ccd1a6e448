import { Foreign } from '../kit/text/Foreign.tsx'
import type { ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import styles from './FirstUpload.module.css'
import { UploadTab } from './UploadTab.tsx'

/** Waits for the first upload of a family and then opens the page of that SBOM. */
export function FirstUpload({ family }: { family: FamilyDetail }): ReactNode {
  return (
    <>
      <p className={styles['waiting']} role="status">
        <span className={styles['dot']} aria-hidden />
        <span>
          Waiting for the first SBOM of <Foreign>{family.name}</Foreign>. This page opens the SBOM as soon as
          it arrives.
        </span>
      </p>
      <UploadTab family={family} />
    </>
  )
}
