import { ActionIcon, Combobox, Modal, TextInput, UnstyledButton, useCombobox } from '@mantine/core'
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconBug, IconComponents, IconFileCode, IconPackages, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { SearchHit } from '../../src/contract/inventory.ts'
import { searchQuery } from '../api/inventory-queries.ts'
import { pages } from '../paths.ts'
import styles from './GlobalSearch.module.css'
import { Foreign } from '../ui/text/Foreign.tsx'

const looks = {
  family: { word: 'Families', Icon: IconPackages },
  vulnerability: { word: 'Vulnerabilities', Icon: IconBug },
  component: { word: 'Components', Icon: IconComponents },
  sbom: { word: 'SBOMs', Icon: IconFileCode },
} as const

const quietMs = 200

/** Finds families, vulnerabilities, components and SBOMs from every page: `/` or Ctrl-K. */
export function GlobalSearch({ slug }: { slug: string }): ReactNode {
  const [isOpen, search] = useDisclosure(false)
  useHotkeys([
    ['/', search.open],
    ['mod+K', search.open],
  ])
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
        title="Search the workspace"
        size="lg"
        yOffset="8vh"
        centered={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SearchList slug={slug} onChoose={search.close} />
      </Modal>
    </>
  )
}

function linkOf(slug: string, hit: SearchHit) {
  switch (hit.kind) {
    case 'family':
      return pages.family(slug, hit.id)
    case 'vulnerability':
      return pages.vulnerability(slug, hit.id)
    case 'component':
      return pages.components(slug, { search: hit.search })
    case 'sbom':
      return pages.sbom(slug, hit.id)
  }
}

function SearchList({ slug, onChoose }: { slug: string; onChoose: () => void }): ReactNode {
  const navigate = useNavigate()
  const combobox = useCombobox()
  const [words, setWords] = useState('')
  const [asked] = useDebouncedValue(words.trim(), quietMs)
  const search = useQuery(searchQuery(slug, asked))
  const hits = asked.length < 2 ? [] : (search.data ?? [])
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(at) => {
        const hit = hits[Number(at)]
        if (hit === undefined) return
        onChoose()
        void navigate(linkOf(slug, hit))
      }}
    >
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          aria-label="Search the workspace"
          placeholder="Component, purl, CVE, family or SBOM id"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={words}
          maxLength={200}
          onChange={(event) => {
            setWords(event.currentTarget.value)
            combobox.resetSelectedOption()
          }}
        />
      </Combobox.EventsTarget>
      <HitList hits={hits} />
      <p className={styles['note']} role="status">
        {noteOf(asked, hits.length, search.isFetching)}
      </p>
    </Combobox>
  )
}

function noteOf(asked: string, found: number, isFetching: boolean): string {
  if (asked.length < 2) return 'Type at least two characters. Use the arrow keys to choose and Enter to open.'
  if (found > 0) return ''
  return isFetching ? 'Searching…' : 'No results in this workspace.'
}

function HitList({ hits }: { hits: SearchHit[] }): ReactNode {
  const numbered = hits.map((hit, at) => ({ hit, at }))
  const kinds = [...Map.groupBy(numbered, ({ hit }) => hit.kind)]
  return (
    <Combobox.Options aria-label="Results" className={styles['hits']}>
      {kinds.map(([kind, ofKind]) => {
        const { word, Icon } = looks[kind]
        return (
          <Combobox.Group key={kind} label={word}>
            {ofKind.map(({ hit, at }) => (
              <Combobox.Option key={at} value={String(at)} className={styles['hit']}>
                <Icon size={16} aria-hidden />
                <span className="clip">
                  <Foreign>{hit.label}</Foreign>{' '}
                  <span className="dimmed">
                    <Foreign>{hit.detail}</Foreign>
                  </span>
                </span>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )
      })}
    </Combobox.Options>
  )
}
