import type { MouseEvent } from 'react'
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const gray: MantineColorsTuple = [
  '#f7f7f9',
  '#f0f0f3',
  '#e6e6ea',
  '#d8d8de',
  '#c3c3cb',
  '#9c9ca7',
  '#646470',
  '#494953',
  '#31313a',
  '#1b1b21',
]

const dark: MantineColorsTuple = [
  '#e1e1e6',
  '#bcbcc5',
  '#9d9da8',
  '#777783',
  '#43434d',
  '#32323a',
  '#26262d',
  '#1c1c22',
  '#16161b',
  '#0f0f13',
]

const amber: MantineColorsTuple = [
  '#fff9e0',
  '#fff0bf',
  '#ffe08a',
  '#ffd057',
  '#fbbf24',
  '#e0a106',
  '#b98200',
  '#926600',
  '#7d5700',
  '#634500',
]

const green: MantineColorsTuple = [
  '#ebfbee',
  '#d3f9d8',
  '#b2f2bb',
  '#8ce99a',
  '#69db7c',
  '#51cf66',
  '#40c057',
  '#37b24d',
  '#2f9e44',
  '#1e7032',
]

const orange: MantineColorsTuple = [
  '#fff3e8',
  '#ffe3cc',
  '#ffc79a',
  '#ffa766',
  '#ff8f3f',
  '#f4761c',
  '#d9600c',
  '#bd4e05',
  '#a84404',
  '#8a3703',
]

/** The title row of a dialog is a header element; it must not count as a second banner landmark. */
const dialogParts = { header: { role: 'presentation' } }
const dialogTitle = {
  title: { fontWeight: 600, lineHeight: 1.4, minWidth: 0, overflowWrap: 'anywhere' },
} as const

/** The second click of a double click on a row or a button is beside the dialog that the first one opened, and would close it. */
const staysOpen = {
  onClickCapture: (event: MouseEvent) => {
    if (event.detail > 1) event.stopPropagation()
  },
}

/**
 * Popovers are rendered next to their button, so that they belong to its landmark. A fixed position keeps them from being clipped where a
 * table or the sidebar scrolls.
 */
const besideButton = { withinPortal: false, floatingStrategy: 'fixed' } as const

/** Neutral greys, one accent, 14 px, radius 6, shadows on overlays only. Light and dark are equals. */
export const theme = createTheme({
  colors: { gray, dark, amber, green, orange },
  black: '#1b1b21',
  primaryColor: 'indigo',
  primaryShade: 8,
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.45' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.35' },
      h2: { fontSize: '16px', lineHeight: '1.4' },
      h3: { fontSize: '14px', lineHeight: '1.45' },
    },
  },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4, ...staysOpen },
        attributes: dialogParts,
      },
      styles: dialogTitle,
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        overlayProps: { backgroundOpacity: 0.25, ...staysOpen },
        attributes: dialogParts,
      },
      styles: dialogTitle,
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, multiline: true, maw: 320 } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close message' } } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        withInitialFocusPlaceholder: false,
        ...besideButton,
      },
    },
  },
})

/** Colours by meaning. Pages use the meaning; only this table has the shade. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--row-height': '36px',
    '--top-bar-height': '48px',
    '--page-width': '1400px',
    '--exploited-fill': 'var(--mantine-color-red-9)',
    '--exploited-text': 'var(--mantine-color-white)',
  },
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-6)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-4)',
    '--surface-sunken': 'var(--mantine-color-gray-0)',
    '--surface-hover': 'var(--mantine-color-gray-1)',
    '--surface-selected': 'var(--mantine-color-indigo-0)',
    '--line': 'var(--mantine-color-gray-2)',
    '--line-strong': 'var(--mantine-color-gray-3)',
    '--severity-critical': 'var(--mantine-color-red-9)',
    '--severity-high': 'var(--mantine-color-orange-8)',
    '--severity-medium': 'var(--mantine-color-amber-8)',
    '--severity-low': 'var(--mantine-color-blue-9)',
    '--severity-none': 'var(--mantine-color-gray-6)',
    '--sign-critical': 'var(--mantine-color-red-8)',
    '--sign-high': 'var(--mantine-color-orange-6)',
    '--sign-medium': 'var(--mantine-color-amber-6)',
    '--sign-low': 'var(--mantine-color-blue-7)',
    '--sign-none': 'var(--mantine-color-gray-5)',
    '--good': 'color-mix(in srgb, var(--mantine-color-teal-9) 85%, black)',
    '--pending': 'var(--mantine-color-violet-8)',
    '--bad': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-4)',
    '--surface-sunken': 'var(--mantine-color-dark-8)',
    '--surface-hover': 'var(--mantine-color-dark-6)',
    '--surface-selected':
      'color-mix(in srgb, var(--mantine-color-indigo-8) 22%, var(--mantine-color-dark-7))',
    '--line': 'var(--mantine-color-dark-5)',
    '--line-strong': 'var(--mantine-color-dark-4)',
    '--severity-critical': 'var(--mantine-color-red-4)',
    '--severity-high': 'var(--mantine-color-orange-3)',
    '--severity-medium': 'var(--mantine-color-amber-3)',
    '--severity-low': 'var(--mantine-color-blue-3)',
    '--severity-none': 'var(--mantine-color-dark-2)',
    '--sign-critical': 'var(--mantine-color-red-5)',
    '--sign-high': 'var(--mantine-color-orange-4)',
    '--sign-medium': 'var(--mantine-color-amber-4)',
    '--sign-low': 'var(--mantine-color-blue-4)',
    '--sign-none': 'var(--mantine-color-dark-3)',
    '--good': 'var(--mantine-color-green-4)',
    '--pending': 'var(--mantine-color-violet-3)',
    '--bad': 'var(--mantine-color-red-4)',
  },
})
