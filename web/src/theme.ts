// Colours, fonts and component defaults.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { commonTexts } from './i18n/common-texts.ts'
import { firstLanguage } from './i18n/language.ts'

const ramal: MantineColorsTuple = [
  '#e6f8f4',
  '#d0efe8',
  '#a3ddd1',
  '#72cbb8',
  '#4abba3',
  '#2fb096',
  '#0b8a74',
  '#0b7a68',
  '#066353',
  '#004c3f',
]

export const theme = createTheme({
  primaryColor: 'ramal',
  primaryShade: 7,
  colors: { ramal },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  defaultRadius: 'md',
  headings: { fontWeight: '650' },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Badge: { defaultProps: { tt: 'none', fw: 600, miw: 'max-content' } },
    Modal: { styles: { title: { fontWeight: 650 } } },
    Drawer: { styles: { title: { fontWeight: 650 } } },
    PasswordInput: {
      defaultProps: () => ({
        visibilityToggleButtonProps: { 'aria-label': commonTexts[firstLanguage()].showPassword, tabIndex: 0 },
      }),
    },
    Notification: {
      defaultProps: () => ({ closeButtonProps: { 'aria-label': commonTexts[firstLanguage()].close } }),
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
  },
})

/** Text colours for light variants. */
const hues = 'red pink grape violet indigo blue cyan teal green lime yellow orange'.split(' ')
const darker = hues.map((hue) => [
  `--mantine-color-${hue}-light-color`,
  `color-mix(in srgb, var(--mantine-color-${hue}-9) 60%, black)`,
])

/** The library's dimmed text has too little contrast; these have at least 4.5:1 (WCAG AA). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6468',
    '--mantine-color-placeholder': '#697276',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--ramal-ground': '#f7f9f9',
    ...Object.fromEntries(darker),
  },
  dark: {
    '--mantine-color-dimmed': '#a2abab',
    '--mantine-color-placeholder': '#98a1a1',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--ramal-ground': '#161918',
  },
})
