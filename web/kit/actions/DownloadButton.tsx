import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { tellRefusal } from '../api/tell-refusal.ts'
import { useSend } from '../api/use-send.ts'

/** Saves a file, or says why there is none: for a plain link the browser would only say that the download failed. */
export function DownloadButton({ save }: { save: () => Promise<void> }): ReactNode {
  const saving = useSend({ send: save })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={saving.isPending}
      onClick={() => {
        saving.mutate(undefined, { onError: tellRefusal })
      }}
    >
      Download
    </Button>
  )
}
