import { ActionIcon, Combobox, Modal, TextInput, UnstyledButton, useCombobox } from '@mantine/core'
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { errorWords } from '../kit/api/error-words.ts'
import { useIsTopmost } from '../kit/form/use-is-topmost.ts'
import { formatNoun } from '../kit/text/format.ts'
import { searchQuery } from './queries.ts'
import styles from './GlobalSearch.module.css'
import { KeysHelp } from './KeysHelp.tsx'
import { linkOf, SearchHits, type Hit } from './SearchHits.tsx'
import { findPlaces } from './search-places.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

const quietMs = 200

/** Searches the workspace's data, settings and actions from every page: `/` or Ctrl-K. `?` shows the shortcuts. */
export function GlobalSearch({ slug }: { slug: string }): ReactNode {
  const [isOpen, search] = useDisclosure(false)
  const [areKeysShown, keys] = useDisclosure(false)
  useHotkeys([
    ['/', search.open],
    ['mod+K', search.open],
    // keyboard layouts where / needs Shift
    ['shift+/', search.open],
    ['shift+?', keys.open],
  ])
  const isTopmost = useIsTopmost(isOpen)
  return (
    <>
      <UnstyledButton className={styles['field']} onClick={search.open} aria-keyshortcuts="/ Control+K">
        <IconSearch size={15} aria-hidden /> Search <kbd className={styles['key']}>/</kbd>
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={styles['icon']}
        aria-label="Search"
        onClick={search.open}
      >
        <IconSearch size={18} stroke={1.7} />
      </ActionIcon>
      <Modal
        opened={isOpen}
        onClose={search.close}
        closeOnEscape={isTopmost}
        title="Search the workspace"
        size="lg"
        yOffset="8vh"
        centered={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SearchList slug={slug} onClose={search.close} />
      </Modal>
      <KeysHelp opened={areKeysShown} onClose={keys.close} />
    </>
  )
}

function SearchList({ slug, onClose }: { slug: string; onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const workspace = useWorkspace()
  const [words, setWords] = useState('')
  const [asked] = useDebouncedValue(words.trim(), quietMs)
  const search = useQuery(searchQuery(slug, asked))
  // all in one list, so that Enter opens the selected one
  const hits: Hit[] =
    asked.length < 2 || search.isPending
      ? []
      : [...(search.data ?? []), ...findPlaces(slug, workspace.role, asked)]
  const combobox = useCombobox({ opened: hits.length > 0 })
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(at) => {
        const hit = hits[Number(at)]
        if (hit === undefined) return
        onClose()
        void navigate(linkOf(slug, hit))
      }}
    >
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          aria-label="Search the workspace"
          placeholder="Component, CVE, incident, advisory, setting …"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={words}
          maxLength={200}
          onChange={(event) => {
            setWords(event.currentTarget.value)
            combobox.resetSelectedOption()
          }}
          onKeyDown={({ key, nativeEvent }) => {
            // the list is always shown: Escape, which would only close it, closes the dialog
            if (key === 'Escape' && !nativeEvent.isComposing) onClose()
          }}
        />
      </Combobox.EventsTarget>
      <SearchHits hits={hits} />
      <p className={styles['note']} role="status">
        {noteOf(asked, hits.length, search)}
      </p>
    </Combobox>
  )
}

type Search = { isFetching: boolean; error: Error | null }

function noteOf(asked: string, found: number, { isFetching, error }: Search): string {
  if (asked.length < 2)
    return 'Type at least two characters. “log4j-core <2.17” finds versions. Use the arrow keys to choose and Enter to open.'
  if (error !== null) return errorWords(error).what
  if (found > 0) return `${formatNoun(found, 'result')} shown.`
  return isFetching ? 'Searching…' : 'No results in this workspace.'
}
