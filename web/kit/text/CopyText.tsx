import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { Copying } from './Copying.tsx'
import { Foreign } from './Foreign.tsx'
import styles from './CopyText.module.css'

type Props = {
  text: string
  /** Accessible name of what is copied: "purl", "token". */
  what: string
  /** Shown instead of the text itself. */
  children?: ReactNode
}

/** An identifier or command in monospace with a button that copies it. */
export function CopyText({ text, what, children }: Props): ReactNode {
  return (
    <span className={styles['line']}>
      <code className={styles['text']} title={visibleText(text)}>
        {children ?? <Foreign>{text}</Foreign>}
      </code>
      <CopyIcon text={text} what={what} />
    </span>
  )
}

type IconProps = { text: string; what: string; tabIndex?: number }

export function CopyIcon({ text, what: given, tabIndex = 0 }: IconProps): ReactNode {
  const what = visibleText(given)
  return (
    <Copying text={text}>
      {({ isCopied, copy }) => (
        <Tooltip label={isCopied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            tabIndex={tabIndex}
            aria-label={isCopied ? `Copied ${what}` : `Copy ${what}`}
          >
            {isCopied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  )
}
