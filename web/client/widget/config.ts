// The widget's appearance and channels, from the server or the dashboard's preview.

export type WidgetConfig = {
  channels: ('call' | 'chat')[]
  /** Format: #rrggbb. */
  color: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
  language: 'auto' | Language
  title: string | null
  greeting: string | null
  buttonText: string | null
  /** An HTTPS URL or an image data URL. */
  logo: string | null
  maxCallSeconds: number
  maxText: number
}

export type Language = 'pt' | 'en' | 'es'

const known: readonly Language[] = ['pt', 'en', 'es']

/** The configured language, else the page's, else the browser's, else English. */
export function languageOf(chosen: WidgetConfig['language'], wishes: readonly string[]): Language {
  if (chosen !== 'auto') return chosen
  for (const wish of wishes) {
    const found = known.find((language) => wish.toLowerCase().split('-', 1)[0] === language)
    if (found) return found
  }
  return 'en'
}

/** The text color with the better WCAG contrast on a background. */
export function textColorOn(background: string): '#ffffff' | '#000000' {
  const luminance = luminanceOf(background)
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / (luminanceOf('#000000') + 0.05) ? '#ffffff' : '#000000'
}

export const contrast = (one: string, other: string): number => {
  const [high = 0, low = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Formats seconds as 1:05. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
