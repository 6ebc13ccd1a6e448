import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

type Props = {
  label: string
  /** The value in the address. */
  value: string | undefined
  onSearch: (words: string | undefined) => void
}

const quietMs = 250

/** A search that queries the server when typing pauses; Esc clears it. It follows outside changes of the address. */
export function SearchField({ label, value: asked, onSearch }: Props): ReactNode {
  const value = asked ?? ''
  const [words, setWords] = useState(value)
  const [sent, setSent] = useState(value)
  const [known, setKnown] = useState(value)
  const searchLater = useDebouncedCallback((next: string) => {
    setSent(next)
    onSearch(next === '' ? undefined : next)
  }, quietMs)

  if (value !== known) {
    setKnown(value)
    if (value !== sent) {
      setSent(value)
      setWords(value)
    }
  }

  function change(next: string): void {
    setWords(next)
    searchLater(next.trim())
  }

  return (
    <TextInput
      size="xs"
      type="search"
      aria-label={label}
      placeholder={label}
      value={words}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        words === '' ? null : (
          <CloseButton
            size="xs"
            aria-label="Clear search"
            onClick={() => {
              change('')
            }}
          />
        )
      }
      onChange={(event) => {
        change(event.currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') change('')
      }}
      maxLength={200}
      style={{ width: 280, maxWidth: '100%' }}
      styles={{ input: { fontSize: 13 } }}
    />
  )
}
