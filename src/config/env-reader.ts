// Typed reading of environment variables. Problems are collected, so that one start reports all of them.
import { isIP } from 'node:net'

const MAX_BUDGET = 1_000_000_000

export type Env = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {}

export type EnvReader = ReturnType<typeof envReader>

/** Messages name the setting and never repeat its value, which may be a secret. */
export function envReader(env: Env) {
  const problems: string[] = []

  const text = (name: string): string | null => env[name]?.trim() || null

  function number<T>(
    name: string,
    fallback: T,
    { min, max, isWhole = true }: { min: number; max: number; isWhole?: boolean },
  ): number | T {
    const raw = text(name)
    if (raw === null) return fallback
    const value = Number(raw)
    if (Number.isFinite(value) && value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value
    problems.push(`${name} must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`)
    return fallback
  }

  function oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = (text(name) ?? fallback) as T
    if (!allowed.includes(value)) problems.push(`${name} must be one of ${allowed.join(', ')}`)
    return value
  }

  function url(name: string, schemes: readonly string[]): string | null {
    const value = text(name)
    if (value === null) return null
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol))
      problems.push(`${name} must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
    return value
  }

  const list = (name: string): string[] => (text(name) ?? '').split(',').flatMap((item) => item.trim() || [])

  return {
    problems,
    text,
    number,
    oneOf,
    url,
    list,

    /** Unchanged: an empty text differs from an unset variable. */
    raw: (name: string): string | undefined => env[name],

    httpUrl: (name: string): string | null => url(name, ['http:', 'https:']),

    /** Without slashes at its end. */
    baseUrl: (name: string): string | null => url(name, ['http:', 'https:'])?.replace(/\/{1,9}$/, '') ?? null,

    /** In units of the setting, such as 60 seconds; null: unlimited. */
    budget: (name: string, fallback: number, unit = 1): number | null =>
      text(name) === 'unlimited' ? null : unit * number(name, fallback, { min: 0, max: Math.floor(MAX_BUDGET / unit) }),

    jsonObject(name: string): Record<string, unknown> | null {
      const raw = text(name)
      const value = raw === null ? null : objectIn(raw)
      if (raw !== null && value === null) problems.push(`${name} must be a JSON object`)
      return value
    },

    portRange(name: string, fallback: string): { from: number; to: number } {
      const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(text(name) ?? fallback) ?? []
      const range = { from: Number(from), to: Number(to) }
      if (!(range.from >= 1024 && range.to <= 65535 && range.to - range.from >= 3))
        problems.push(`${name} must be two ports from 1024 to 65535 such as 10000-20000`)
      return range
    },

    networks(name: string): string[] {
      const networks = list(name)
      if (!networks.every(isNetwork)) problems.push(`${name} must be networks such as 10.0.0.0/8, separated by commas`)
      return networks
    },
  }
}

function objectIn(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

/** An IP address, or a network in CIDR notation. */
function isNetwork(value: string): boolean {
  const [address = '', bits = '', ...more] = value.split('/')
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    more.length === 0 &&
    !address.includes('%') &&
    (!value.includes('/') || /^\d{1,3}$/.test(bits)) &&
    Number(bits) <= maxBits
  )
}
