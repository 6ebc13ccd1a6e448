import { Button, Center, Loader, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { use, type ReactNode } from 'react'
import { PageNotLoaded } from '../api/page-not-loaded.ts'
import { answerOf } from '../api/request.ts'
import { useSend } from '../api/use-send.ts'
import { CrumbsPlace } from './Crumbs.tsx'
import icon from '../../icon.svg'
import { ButtonLink } from '../text/links.tsx'
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

/** Unknown addresses, and workspaces the person does not belong to: they must look the same. */
export function NotFoundPage(): ReactNode {
  return (
    <WholePage title="Page not found">
      <Text>
        There is no page at this address, or it belongs to a workspace that you are not a member of.
      </Text>
      <ButtonLink to="/" variant="default">
        Go to your workspace
      </ButtonLink>
    </WholePage>
  )
}

/** Replaces a failed page: inside the frame, or instead of everything. */
export function FailedPage(props: ErrorComponentProps): ReactNode {
  const isInFrame = use(CrumbsPlace) !== null
  const title = 'Something went wrong'
  const failure =
    props.error instanceof PageNotLoaded ? <NotLoaded error={props.error} /> : <Failed {...props} />
  if (!isInFrame) return <WholePage title={title}>{failure}</WholePage>
  return (
    <Stack gap="md" align="flex-start">
      <title>{`${title} · SBOM Monitor`}</title>
      <Title order={1}>{title}</Title>
      {failure}
    </Stack>
  )
}

function Failed({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter()
  return (
    <>
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
    </>
  )
}

/**
 * Reloads the document to get the files of the present release; waits until the service answers, because the browser would otherwise show
 * its own error page.
 */
function NotLoaded({ error }: { error: PageNotLoaded }): ReactNode {
  const reload = useSend({
    send: () => answerOf(window.location.href, { cache: 'no-store' }),
    onSuccess: () => {
      window.location.reload()
    },
  })
  return (
    <>
      <Problem error={reload.error ?? error} />
      <Button
        variant="default"
        loading={reload.isPending}
        onClick={() => {
          reload.mutate()
        }}
      >
        Try again
      </Button>
    </>
  )
}

/** Shown until the first answer arrives. */
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

/** Shown while a page inside the frame loads. */
export function WaitingPart(): ReactNode {
  return (
    <Center mih={240} role="status" aria-label="Loading">
      <Loader size="sm" aria-hidden />
    </Center>
  )
}
