import type { ReactNode } from 'react'
import { CommandBlock } from '../text/CommandBlock.tsx'

const command = 'npm run -s cli -- vulnerabilities import <all.zip | folder | NVD feed | KEV JSON>'

/** How an operator loads data where the service cannot fetch it. */
export function ImportHelp(): ReactNode {
  return <CommandBlock label="Load files on the server" text={command} />
}
