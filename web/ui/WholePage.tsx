import { Button, Center, Loader, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import icon from '../icon.svg'
import { pages } from '../paths.ts'
import { ButtonLink } from './links.tsx'
import { Problem } from './Problem.tsx'
import styles from './WholePage.module.css'

type Props = { title: string; children: ReactNode }

/** A page without the frame: signing in, setting up, choosing a workspace, nothing found. */
export function WholePage({ title, children }: Props): ReactNode {
  return (
    <main className={styles['page']}>
      <title>{`${title} · SBOM Monitor`}</title>
      <div className={styles['column']}>
        <div className={styles['brand']}>
          <img src={icon} alt="" width={24} height={24} />
          SBOM Monitor
        </div>
        <Paper withBorder p="lg">
          <Stack gap="md">
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </Paper>
      </div>
    </main>
  )
}

/** Unknown addresses, and workspaces the person is not a member of: both look the same. */
export function NotFoundPage(): ReactNode {
  return (
    <WholePage title="Nothing here">
      <Text>There is no page at this address, or it belongs to a workspace you are not a member of.</Text>
      <ButtonLink {...pages.home()} variant="default">
        Go to your workspace
      </ButtonLink>
    </WholePage>
  )
}

export function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter()
  return (
    <WholePage title="Something went wrong">
      <Problem error={error} />
      <Button
        variant="default"
        onClick={() => {
          reset()
          void router.invalidate()
        }}
      >
        Try again
      </Button>
    </WholePage>
  )
}

/** While the first answer of the application is on its way. */
export function WaitingPage(): ReactNode {
  return (
    <main>
      <VisuallyHidden>
        <h1>Loading</h1>
      </VisuallyHidden>
      <WaitingPart />
    </main>
  )
}

/** While a page inside the frame is on its way. */
export function WaitingPart(): ReactNode {
  return (
    <Center mih={240} role="status" aria-label="Loading">
      <Loader size="sm" aria-hidden />
    </Center>
  )
}
