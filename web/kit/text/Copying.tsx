import { useTimeout } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { BrowserFailure } from '../api/browser-failure.ts'
import { tellRefusal } from '../api/tell-refusal.ts'
import { copyText } from './copy-text.ts'

type Props = {
  text: string
  /** How long the button says that it is done. */
  timeoutMs?: number
  children: (state: { isCopied: boolean; copy: () => void }) => ReactNode
}

const notCopied = {
  what: 'The browser does not let this page copy.',
  next: 'Select the text and copy it with the keyboard.',
}

/** A button that copies a text, and says so where the browser refuses it. */
export function Copying({ text, timeoutMs = 2000, children }: Props): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const { start } = useTimeout(() => {
    setCopied(false)
  }, timeoutMs)
  const copy = async () => {
    try {
      await copyText(text)
      setCopied(true)
      start()
    } catch (error) {
      tellRefusal(new BrowserFailure(notCopied, error))
    }
  }
  return children({ isCopied, copy: () => void copy() })
}
