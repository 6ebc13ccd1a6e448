import { ActionIcon, Drawer, Tooltip } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { sessionQuery } from '../sign-in/session-query.ts'
import { rememberWorkspace } from '../workspaces/last-workspace.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Bell } from '../notices/Bell.tsx'
import { ColorSchemeMenu } from './ColorSchemeMenu.tsx'
import { useSlug } from '../kit/api/use-slug.ts'
import { CrumbsPlace } from '../kit/page/Crumbs.tsx'
import { useFocusOnArrival } from '../kit/page/use-focus-on-arrival.ts'
import { pages } from '../areas.ts'
import styles from './Frame.module.css'
import { GlobalSearch } from './GlobalSearch.tsx'
import { Sidebar } from './Sidebar.tsx'
import { keepFocusNear } from '../kit/page/keep-focus-near.ts'
import { ClosedPage, isShownTo } from './ClosedPage.tsx'
import { TimeZoneProvider } from '../kit/time/time-zone.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { WorkspaceBanner } from './WorkspaceBanner.tsx'

/** Sidebar, top bar and banner around every page of a workspace. */
export function Frame(): ReactNode {
  const slug = useSlug()
  const [isNarrow, setNarrow] = useLocalStorage({ key: 'sidebar-narrow', defaultValue: false })
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const main = useFocusOnNewPage()
  const workspace = useWorkspace()
  const isShown = isShownTo(workspace)
  const crumbs = element && {
    element,
    start: { name: workspace.companyName, link: pages.dashboard(workspace.slug) },
  }
  const own = useQuery(sessionQuery).data?.person.timeZone

  useEffect(() => {
    rememberWorkspace(slug)
  }, [slug])

  return (
    <TimeZoneProvider value={own ?? workspace.timeZone}>
      <div className={styles['frame']} data-narrow={isNarrow}>
        <a href="#content" className={styles['skip']}>
          Skip to the page
        </a>
        <aside aria-label="Workspace" className={styles['side']}>
          <Sidebar slug={slug} narrow={isNarrow} />
        </aside>
        <PagesDrawer slug={slug} opened={isDrawerOpen} onClose={drawer.close} />
        <div className={styles['rest']}>
          <header className={styles['top']}>
            <SidebarButtons isNarrow={isNarrow} onNarrow={setNarrow} onOpen={drawer.open} />
            <div ref={setElement} className={styles['crumbs']} />
            {isShown ? (
              <>
                <GlobalSearch slug={slug} />
                <Bell slug={slug} />
              </>
            ) : null}
            <ColorSchemeMenu />
            <AccountMenu />
          </header>
          <WorkspaceBanner />
          <main id="content" ref={main} tabIndex={-1} className={styles['main']}>
            <CrumbsPlace value={crumbs}>{isShown ? <Outlet /> : <ClosedPage />}</CrumbsPlace>
          </main>
        </div>
      </div>
    </TimeZoneProvider>
  )
}

type DrawerProps = { slug: string; opened: boolean; onClose: () => void }

/** The sidebar on a phone. */
function PagesDrawer({ slug, opened, onClose }: DrawerProps): ReactNode {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="left"
      size={272}
      withCloseButton={false}
      title="Pages"
      styles={{
        header: { display: 'none' },
        body: { padding: 0, height: '100%' },
        content: { background: 'var(--surface-sunken)' },
      }}
    >
      <Sidebar slug={slug} onChoose={onClose} />
    </Drawer>
  )
}

type ButtonsProps = { isNarrow: boolean; onNarrow: (narrow: boolean) => void; onOpen: () => void }

/** Opens the sidebar on a phone, makes it narrow or wide elsewhere. */
function SidebarButtons({ isNarrow, onNarrow, onOpen }: ButtonsProps): ReactNode {
  const look = { variant: 'subtle', color: 'gray', size: 'lg' }
  const label = isNarrow ? 'Expand the sidebar' : 'Collapse the sidebar'
  return (
    <>
      <ActionIcon {...look} className={styles['phone']} onClick={onOpen} aria-label="Pages">
        <IconMenu2 size={20} stroke={1.7} />
      </ActionIcon>
      <Tooltip label={label}>
        <ActionIcon
          {...look}
          className={styles['wide']}
          aria-label={label}
          onClick={() => {
            onNarrow(!isNarrow)
          }}
        >
          <IconLayoutSidebar size={18} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

/** Moves the focus to a newly opened page, as loading a document would, and keeps it there. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useFocusOnArrival(main)
  useEffect(() => (main.current === null ? undefined : keepFocusNear(main.current)), [])
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
