import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { sendSbom, sendVex } from '#contract/sbom/upload-operations.ts'
import type { SbomReceipt } from '#contract/sbom/shapes.ts'
import type { VexReceipt } from '#contract/vex/shapes.ts'
import { workspaceKey } from '../kit/api/query-of.ts'
import { refreshWhileSettling } from '../kit/api/settling.ts'
import { sendFile } from '../kit/api/send-file.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { packed } from './packed.ts'

/** What a member sends from the page. */
export type SentKind = 'sboms' | 'vex'

export type SendingState =
  | { step: 'waiting' }
  | { step: 'sending'; share: number }
  | { step: 'stored'; kind: 'sboms'; receipt: SbomReceipt }
  | { step: 'stored'; kind: 'vex'; receipt: VexReceipt }
  | { step: 'failed'; error: unknown }

/** `version` is the name it was sent with. */
export type SentFile = {
  key: number
  name: string
  sizeBytes: number
  version: string | undefined
  state: SendingState
}

/** `version` is the name of a product version. */
export type Target = { familyId: string; kind: SentKind; version: string | undefined }

type Sending = {
  /** Newest first. */
  files: SentFile[]
  isBusy: boolean
  send: (chosen: readonly File[], target: Target) => void
}

/** Sends files one after the other and keeps their results. Sending continues when another page is opened. */
export function useSending(): Sending {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const [files, setFiles] = useState<SentFile[]>([])
  const nextKey = useRef(0)
  const last = useRef(Promise.resolve())
  const onTheirWay = useRef(new Set<string>())

  function show(key: number, state: SendingState): void {
    setFiles((present) => present.map((file) => (file.key === key ? { ...file, state } : file)))
  }

  async function sendOne(file: File, key: number, { familyId, kind, version }: Target): Promise<void> {
    show(key, { step: 'sending', share: 0 })
    const target = { params: { slug, family: familyId }, query: { version } }
    const onProgress = (share: number) => {
      show(key, { step: 'sending', share })
    }
    try {
      const sending = { file: await packed(file), onProgress }
      if (kind === 'sboms')
        show(key, { step: 'stored', kind, receipt: await sendFile(sendSbom, target, sending) })
      else show(key, { step: 'stored', kind, receipt: await sendFile(sendVex, target, sending) })
    } catch (error) {
      show(key, { step: 'failed', error })
      return
    }
    refreshWhileSettling(queryClient, slug)
    await queryClient.invalidateQueries({ queryKey: workspaceKey(slug) })
  }

  /** A file being sent is not sent a second time; once it has arrived or failed, it can be. */
  function send(chosen: readonly File[], target: Target): void {
    const begun = chosen
      .map((file) => ({ file, identity: identityOf(file, target) }))
      .filter(({ identity }) => !onTheirWay.current.has(identity))
      .map((file) => ({ ...file, key: nextKey.current++ }))
    const shown = begun.map(({ file, key }): SentFile => {
      const { version } = target
      return { key, name: file.name, sizeBytes: file.size, version, state: { step: 'waiting' } }
    })
    setFiles((present) => [...shown.toReversed(), ...present])
    for (const { file, identity, key } of begun) {
      onTheirWay.current.add(identity)
      last.current = last.current.then(async () => {
        await sendOne(file, key, target)
        onTheirWay.current.delete(identity)
      })
    }
  }

  const isBusy = files.some(({ state }) => state.step === 'waiting' || state.step === 'sending')
  return { files, isBusy, send }
}

function identityOf({ name, size, lastModified }: File, { familyId, kind, version }: Target): string {
  return JSON.stringify([familyId, kind, version, name, size, lastModified])
}
