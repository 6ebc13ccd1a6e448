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

/** A version on one line: too long for its place it is cut in the middle. All of it shows on hover, and is copied. */
export function VersionText({ children, title }: Props): ReactNode {
  return <CutText text={children} title={title} cut={cutVersion} />
}

/** The same of a version that there may be none of. */
export function VersionIfAny({ version }: { version: string | null }): ReactNode {
  return version === null ? (
    <span className="dimmed">without version</span>
  ) : (
    <VersionText>{version}</VersionText>
  )
}

/** The name of a component on one line: of a path the last part stays, `github.com/…/containerd`. */
export function NameText({ children, title }: Props): ReactNode {
  return <CutText text={children} title={title} cut={cutPath} />
}

/** A purl on one line, whose name and version stay. */
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
