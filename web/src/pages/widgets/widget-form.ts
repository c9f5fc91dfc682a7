// The widget form: values, validation, changes and the embed code. Pure.
import type { Widget } from '../../../../client/paths.ts'

export type WidgetForm = Omit<Widget, 'id' | 'createdAt' | 'updatedAt'>
export type WidgetProblem = 'name' | 'origins' | 'color' | 'logo' | 'channels'

/** Maximum characters of an uploaded logo's data URL; the server has the same limit. */
export const MAX_LOGO = 32_800

export const formOf = ({ id, createdAt, updatedAt, ...form }: Widget): WidgetForm => form

const ownMachine = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The origin of the user's input, which may be a full URL; null if no website can have it. */
export function originOf(text: string): string | null {
  const typed = text.trim()
  const address = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`
  if (!URL.canParse(address)) return null
  const { protocol, hostname, origin, username } = new URL(address)
  const isName = /^[^*\s]+$/.test(decodeURIComponent(hostname)) && (hostname.includes('.') || ownMachine.has(hostname))
  const isSafe = protocol === 'https:' || (protocol === 'http:' && ownMachine.has(hostname))
  return isName && isSafe && username === '' ? origin : null
}

/** The input as a list of unique origins; null if one is invalid. */
export function originsOf(typed: readonly string[]): string[] | null {
  const origins = typed.map(originOf)
  return origins.includes(null) ? null : [...new Set(origins as string[])]
}

/** An uploaded image, or the URL of one. */
function isLogo(logo: string): boolean {
  if (logo.startsWith('data:image/')) return true
  return (
    logo.length <= 500 && /^https:\/\/[^\s"<>\\]+$/.test(logo) && URL.canParse(logo) && new URL(logo).username === ''
  )
}

export function problemsOf({ name, appearance, channels }: WidgetForm): WidgetProblem[] {
  const problems: WidgetProblem[] = []
  if (name.trim() === '') problems.push('name')
  if (!/^#[0-9a-f]{6}$/.test(appearance.color)) problems.push('color')
  if (appearance.logo !== null && !isLogo(appearance.logo)) problems.push('logo')
  if (channels.length === 0) problems.push('channels')
  return problems
}

export function changesOf(before: WidgetForm, after: WidgetForm): Partial<WidgetForm> {
  const isSame = (key: keyof WidgetForm) => JSON.stringify(before[key]) === JSON.stringify(after[key])
  const changed = (Object.keys(after) as (keyof WidgetForm)[]).filter((key) => !isSame(key))
  return Object.fromEntries(changed.map((key) => [key, after[key]])) as Partial<WidgetForm>
}

export const snippetOf = (server: string, id: string): string =>
  `<script src="${server.replace(/\/+$/, '')}/widget.js" data-widget="${id}" async></script>`

/** The config for the preview, as the server would send it to a visitor. */
export const previewOf = ({ channels, appearance, limits }: WidgetForm) => ({
  channels,
  ...appearance,
  title: appearance.title?.trim() || null,
  greeting: appearance.greeting?.trim() || null,
  buttonText: appearance.buttonText?.trim() || null,
  maxCallSeconds: limits.maxCallSeconds,
  maxText: 2000,
})
