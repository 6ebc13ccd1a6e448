import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { sendSbom, sendVex } from '#contract/sbom/upload-operations.ts'
import type { SbomReceipt } from '#contract/sbom/shapes.ts'
import type { VexReceipt } from '#contract/vex/shapes.ts'
import { workspaceKey } from '../kit/api/query-of.ts'
import { refreshWhileSettling } from '../kit/api/settling.ts'
import { sendFile } from '../kit/api/send-file.ts'
import { tellRefusal } from '../kit/api/tell-refusal.ts'
import { useIsShown } from '../kit/api/use-is-shown.ts'
import { asksUntil } from '../kit/unsaved/unsent.ts'
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
  sendAgain: () => void
}

/** `version` is the name of a product version. */
export type Target = { familyId: string; kind: SentKind; version: string | undefined }

type Sending = {
  /** Newest first. */
  files: SentFile[]
  isBusy: boolean
  send: (chosen: readonly File[], target: Target) => void
}

/** Sends files one after the other and keeps their results. Sending continues when another page is opened, and its end is told there. */
export function useSending(): Sending {
  const { slug } = useWorkspace()
  const isShown = useIsShown()
  const queryClient = useQueryClient()
  const [files, setFiles] = useState<SentFile[]>([])
  const nextKey = useRef(0)
  const { take, enqueue } = useTurns()

  function show(key: number, state: SendingState): void {
    setFiles((present) => present.map((file) => (file.key === key ? { ...file, state } : file)))
  }

  async function sendOne(file: File, key: number, target: Target): Promise<void> {
    const onProgress = (share: number) => {
      show(key, { step: 'sending', share })
    }
    onProgress(0)
    const state = await store(file, { slug, target, onProgress })
    show(key, state)
    if (!isShown.current) tellEnd(file.name, state)
    if (state.step === 'failed') return
    refreshWhileSettling(queryClient, slug)
    await queryClient.invalidateQueries({ queryKey: workspaceKey(slug) })
  }

  function send(chosen: readonly File[], target: Target): void {
    const begun = chosen
      .map((file) => ({ file, identity: identityOf(file, target) }))
      .filter(({ identity }) => take(identity))
      .map(({ file, identity }) => {
        const key = nextKey.current++
        const begin = () => {
          show(key, { step: 'waiting' })
          enqueue(identity, () => sendOne(file, key, target))
        }
        const sendAgain = () => {
          if (take(identity)) begin()
        }
        const { version } = target
        const facts = { key, name: file.name, sizeBytes: file.size, version }
        const shown: SentFile = { ...facts, state: { step: 'waiting' }, sendAgain }
        return { shown, begin }
      })
    setFiles((present) => [...begun.map(({ shown }) => shown).toReversed(), ...present])
    for (const { begin } of begun) begin()
  }

  const isBusy = files.some(({ state }) => state.step === 'waiting' || state.step === 'sending')
  return { files, isBusy, send }
}

/** One file after the other. One being sent is not sent a second time; once it has arrived or failed, it can be. */
function useTurns() {
  const last = useRef(Promise.resolve())
  const onTheirWay = useRef(new Set<string>())
  return {
    take: (identity: string): boolean => {
      if (onTheirWay.current.has(identity)) return false
      onTheirWay.current.add(identity)
      return true
    },
    enqueue: (identity: string, send: () => Promise<void>): void => {
      const turn = last.current.then(async () => {
        await send()
        onTheirWay.current.delete(identity)
      })
      last.current = asksUntil(turn)
    },
  }
}

function identityOf({ name, size, lastModified }: File, { familyId, kind, version }: Target): string {
  return JSON.stringify([familyId, kind, version, name, size, lastModified])
}

type Storing = { slug: string; target: Target; onProgress: (share: number) => void }

/** How its sending ends. */
async function store(file: File, { slug, target, onProgress }: Storing): Promise<SendingState> {
  const { familyId, kind, version } = target
  const args = { params: { slug, family: familyId }, query: { version } }
  try {
    const sending = { file: await packed(file), onProgress }
    return kind === 'sboms'
      ? { step: 'stored', kind, receipt: await sendFile(sendSbom, args, sending) }
      : { step: 'stored', kind, receipt: await sendFile(sendVex, args, sending) }
  } catch (error) {
    return { step: 'failed', error }
  }
}

/** On another page. */
function tellEnd(name: string, state: SendingState): void {
  if (state.step === 'failed') tellRefusal(state.error, name)
  else notifications.show({ message: visibleText(`${name} is stored.`), color: 'green.9', withBorder: true })
}
