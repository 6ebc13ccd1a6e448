import { Button, Center, Loader, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { use, useEffect, useRef, type ReactNode } from 'react'
import { PageNotLoaded } from '../api/page-not-loaded.ts'
import { answerOf } from '../api/request.ts'
import { useSend } from '../api/use-send.ts'
import { CrumbsPlace } from './Crumbs.tsx'
import icon from '../../icon.svg'
import { ButtonLink } from '../text/links.tsx'
import { Problem } from './Problem.tsx'
import styles from './WholePage.module.css'
import { keepFocusNear } from './keep-focus-near.ts'
import { useFocusOnArrival } from './use-focus-on-arrival.ts'

type Props = { title: string; children: ReactNode }

/** A page without the frame: signing in, setting up, choosing a workspace, nothing found. */
export function WholePage({ title, children }: Props): ReactNode {
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  useEffect(() => (main.current === null ? undefined : keepFocusNear(main.current)), [])
  return (
    <main ref={main} tabIndex={-1} className={styles['page']}>
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
  const isInFrame = use(CrumbsPlace) !== null
  return (
    <InsteadOfPage title="Page not found">
      <Text>
        {isInFrame
          ? 'There is no page at this address.'
          : 'There is no page at this address, or it belongs to a workspace that you are not a member of.'}
      </Text>
      <ButtonLink to="/" variant="default">
        Go to your workspace
      </ButtonLink>
    </InsteadOfPage>
  )
}

/** Inside the frame, or instead of everything. */
function InsteadOfPage({ title, children }: Props): ReactNode {
  if (use(CrumbsPlace) === null) return <WholePage title={title}>{children}</WholePage>
  return (
    <Stack gap="md" align="flex-start">
      <title>{`${title} · SBOM Monitor`}</title>
      <Title order={1}>{title}</Title>
      {children}
    </Stack>
  )
}

/** Replaces a failed page. */
export function FailedPage(props: ErrorComponentProps): ReactNode {
  return (
    <InsteadOfPage title="Something went wrong">
      {props.error instanceof PageNotLoaded ? <NotLoaded error={props.error} /> : <Failed {...props} />}
    </InsteadOfPage>
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
