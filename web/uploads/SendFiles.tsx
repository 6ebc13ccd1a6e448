import { Autocomplete, Button, FileButton, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { sendSbom } from '#contract/sbom/upload-operations.ts'
import { limits } from '#contract/limits.ts'
import { refusal } from '../workspaces/access.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ActionButton } from '../kit/actions/ActionButton.tsx'
import { fieldErrors } from '../kit/form/field-errors.ts'
import styles from './SendFiles.module.css'
import { SentFiles } from './SentFiles.tsx'
import { useSending, type SentFile, type SentKind } from './use-sending.ts'

type Props = {
  familyId: string
  kind: SentKind
  /** Version names of the family, for the choice. */
  versions: string[]
}

const kindLooks: Record<SentKind, { drop: string; empty: string; version: string }> = {
  sboms: {
    drop: 'Drop SBOMs here: CycloneDX or SPDX as JSON, plain or gzipped.',
    empty: 'the version in the file',
    version: 'Product version',
  },
  vex: {
    drop: 'Drop VEX documents here: OpenVEX, CSAF VEX or CycloneDX as JSON, plain, gzipped or zstd-compressed.',
    empty: 'every version',
    version: 'Applies to',
  },
}

/** Uploads files from this computer, by drop or button, and shows the progress and result of each. */
export function SendFiles({ familyId, kind, versions }: Props): ReactNode {
  const workspace = useWorkspace()
  const [typed, setTyped] = useState('')
  const version = typed.trim() === '' ? undefined : typed.trim()
  const { files, isBusy, send } = useSending()
  const clearChoice = useRef<() => void>(null)
  const refused = refusal(workspace, sendSbom.permission)
  const looks = kindLooks[kind]

  function take(chosen: readonly File[]): void {
    if (refused !== undefined || chosen.length === 0) return
    send(chosen, { familyId, kind, version })
    clearChoice.current?.()
  }

  return (
    <section aria-label={kind === 'sboms' ? 'Send SBOMs' : 'Send VEX documents'}>
      <DropArea onFiles={take}>
        <IconFileUpload size={22} aria-hidden />
        <Text className={styles['words']}>{looks.drop}</Text>
        <Autocomplete
          label={looks.version}
          placeholder={looks.empty}
          className={styles['version']}
          value={typed}
          onChange={setTyped}
          error={versionError(files, version)}
          data={versions}
          maxLength={limits.versionCharacters}
          disabled={refused !== undefined}
        />
        {refused === undefined ? (
          <FileButton multiple resetRef={clearChoice} onChange={take}>
            {(choose) => (
              <Button {...choose} loading={isBusy}>
                Choose files
              </Button>
            )}
          </FileButton>
        ) : (
          <ActionButton refused={refused} onClick={() => undefined}>
            Choose files
          </ActionButton>
        )}
      </DropArea>
      <SentFiles files={files} />
    </section>
  )
}

/** Why the service refused the typed version; shown until it is changed. */
function versionError(files: readonly SentFile[], version: string | undefined): string | undefined {
  const refused = files.find((file) => file.version === version && file.state.step === 'failed')
  return refused?.state.step === 'failed' ? fieldErrors(refused.state.error)['version'] : undefined
}

type AreaProps = { onFiles: (files: readonly File[]) => void; children: ReactNode }

function DropArea({ onFiles, children }: AreaProps): ReactNode {
  const [isOver, setOver] = useState(false)

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }

  return (
    <div
      className={styles['area']}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => {
        setOver(false)
      }}
      onDrop={drop}
    >
      {children}
    </div>
  )
}
