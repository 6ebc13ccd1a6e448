import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { cutPath, cutPurl, cutVersion, type Cut } from './cut.ts'
import styles from './CutText.module.css'

type Props = {
  /** May come from a file. */
  children: string
  /** Shown on hover instead of the whole text. */
  title?: string | undefined
}

/** A version on one line, cut in the middle if too long. Hover shows all of it, and copying gets all of it. */
export function VersionText({ children, title }: Props): ReactNode {
  return <CutText text={children} title={title} cut={cutVersion} />
}

/** The same for a version that may be missing. */
export function VersionIfAny({ version }: { version: string | null }): ReactNode {
  return version === null ? (
    <span className="dimmed">without version</span>
  ) : (
    <VersionText>{version}</VersionText>
  )
}

/** The name of a component on one line; a path keeps its last part: `github.com/…/containerd`. */
export function NameText({ children, title }: Props): ReactNode {
  return <CutText text={children} title={title} cut={cutPath} />
}

/** A purl on one line; its name and version are never cut. */
export function PurlText({ children, title }: Props): ReactNode {
  return <CutText text={children} title={title} cut={cutPurl} />
}

type CutProps = { text: string; title: string | undefined; cut: (text: string) => Cut }

function CutText({ text, title = text, cut }: CutProps): ReactNode {
  const { head, tail, shown = tail } = cut(visibleText(text))
  return (
    <span
      className={styles['cut']}
      data-tail={shown === '' ? undefined : shown}
      title={title === '' ? undefined : visibleText(title)}
    >
      <bdi className={styles['text']}>
        {head}
        {tail === '' ? null : <span className={styles['tail']}>{tail}</span>}
      </bdi>
    </span>
  )
}
