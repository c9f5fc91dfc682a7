// Colors, fonts and component defaults.
import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { brand, dark, roles, success } from './colors.ts'
import { commonTexts } from './i18n/common-texts.ts'
import { firstLanguage } from './i18n/language.ts'

export const theme = createTheme({
  primaryColor: 'ramal',
  primaryShade: 7,
  // Pages use teal for success.
  colors: { ramal: brand, teal: success, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  defaultRadius: 'md',
  headings: { fontWeight: '650' },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Paper: { defaultProps: { radius: 'lg' } },
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

/** Text colors for light variants. */
const hues = 'red pink grape violet indigo blue cyan teal green lime yellow orange'.split(' ')
const darker = hues.map((hue) => [
  `--mantine-color-${hue}-light-color`,
  `color-mix(in srgb, var(--mantine-color-${hue}-9) 60%, black)`,
])

const ours = (theme: 'light' | 'dark') =>
  Object.fromEntries(Object.entries(roles[theme]).map(([name, color]) => [`--ramal-${name}`, color]))

/** The library's dimmed text has too little contrast; these values have at least 4.5:1 (WCAG AA). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6468',
    '--mantine-color-placeholder': '#697276',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-text': '#17201e',
    '--mantine-color-default-border': roles.light.border,
    ...ours('light'),
    ...Object.fromEntries(darker),
  },
  dark: {
    '--mantine-color-dimmed': '#a2abab',
    '--mantine-color-placeholder': '#98a1a1',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': roles.dark.border,
    // Dangerous actions stay red in the dark theme.
    '--mantine-color-red-light': 'rgb(255 107 107 / 16%)',
    '--mantine-color-red-light-hover': 'rgb(255 107 107 / 24%)',
    '--mantine-color-red-light-color': '#ff9b95',
    '--mantine-color-yellow-light': 'rgb(255 212 59 / 12%)',
    '--mantine-color-yellow-light-hover': 'rgb(255 212 59 / 18%)',
    '--mantine-color-yellow-light-color': '#ffd864',
    '--mantine-color-orange-light': 'rgb(255 169 77 / 12%)',
    '--mantine-color-orange-light-hover': 'rgb(255 169 77 / 18%)',
    '--mantine-color-orange-light-color': '#ffb870',
    ...ours('dark'),
  },
})
