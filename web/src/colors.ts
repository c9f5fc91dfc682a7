// The page's colors by role, in both themes: brand, success, chart, speakers. Pure.

/** Brand color: buttons, links, the logo. */
export const brand = [
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
] as const

/** A plain green, so that success does not look like the brand color. */
export const success = [
  '#ebfbee',
  '#d3f9d8',
  '#b2f2bb',
  '#8ce99a',
  '#69db7c',
  '#51cf66',
  '#40c057',
  '#37b24d',
  '#2f9e44',
  '#2b8a3e',
] as const

/** The grays of the dark theme. */
export const dark = [
  '#dde4e2',
  '#b6bfbd',
  '#8f9a97',
  '#63706d',
  '#3b4543',
  '#323b39',
  '#272e2c',
  '#1c2120',
  '#171b1a',
  '#111413',
] as const

/** Call outcomes, as charts group them. */
export const outcomes = ['answered', 'unanswered', 'busy', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

type Roles = Readonly<
  Record<Outcome, string> & {
    ground: string
    surface: string
    border: string
    focus: string
    person: string
    agent: string
    spark: string
  }
>

export const roles: Readonly<Record<'light' | 'dark', Roles>> = {
  light: {
    ground: '#f6f8f8',
    surface: '#ffffff',
    border: '#e0e6e5',
    focus: '#0b7a68',
    person: '#dcecfb',
    agent: '#eef1f1',
    spark: '#5b87c7',
    answered: '#2f6fd0',
    unanswered: '#b5820a',
    busy: '#8a4fc4',
    failed: '#d13438',
  },
  dark: {
    ground: '#141716',
    surface: '#1c2120',
    border: '#343d3b',
    focus: '#5fc9b4',
    person: '#1d3a57',
    agent: '#2a3230',
    spark: '#7aa7e6',
    answered: '#6ea3f2',
    unanswered: '#e2b34d',
    busy: '#c297f0',
    failed: '#ff7d78',
  },
}

/** Contrast ratio by WCAG 2.2, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
