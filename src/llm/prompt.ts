// Fills {{name}} in prompts and greetings, including the built-in variables: caller, callee, local date and time.
import { isZone } from '../base/time/zone.ts'

type FilledTemplate = {
  text: string
  /** Names without a value, each once. */
  missing: string[]
}

const placeholder = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})\s*\}\}/gu

/** Unknown names become empty and are reported. Values are untrusted: they are not expanded again. */
export function fillTemplate(text: string, variables: Readonly<Record<string, string>>): FilledTemplate {
  const missing = new Set<string>()
  const filled = text.replace(placeholder, (_, name: string) => {
    if (Object.hasOwn(variables, name)) return variables[name] ?? ''
    missing.add(name)
    return ''
  })
  return { text: filled, missing: [...missing] }
}

export type Moment = {
  /** Wall time. */
  atMs: number
  /** BCP 47. */
  language: string
  /** IANA; default: that of the language's country, else the server's. */
  timeZone?: string | undefined
  caller?: string | null
  callee?: string | null
}

/** caller, callee, date, time and weekday. */
export function knownVariables({ atMs, language, timeZone, caller, callee }: Moment): Record<string, string> {
  const zone = zoneOf(language, timeZone)
  const told = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, ...options }).format(atMs)
  return {
    caller: caller ?? '',
    callee: callee ?? '',
    date: told({ dateStyle: 'long' }),
    time: told({ timeStyle: 'short' }),
    weekday: told({ weekday: 'long' }),
  }
}

/** Countries with several time zones, and the most populated one. */
const mainZones: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  BR: 'America/Sao_Paulo',
  CL: 'America/Santiago',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  MX: 'America/Mexico_City',
  PT: 'Europe/Lisbon',
}

export function zoneOf(language: string, given?: string): string {
  const server = new Intl.DateTimeFormat().resolvedOptions().timeZone
  if (given && isZone(given)) return given
  const { region } = new Intl.Locale(localeOf(language))
  if (!region) return server
  const zones = (new Intl.Locale(`und-${region}`) as { getTimeZones?(): string[] | undefined }).getTimeZones?.() ?? []
  return mainZones[region] ?? (zones.length === 1 ? (zones[0] as string) : server)
}

function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
