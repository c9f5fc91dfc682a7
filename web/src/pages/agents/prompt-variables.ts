// The {{variables}} in an agent's texts. Pure.
const placeholder = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})\s*\}\}/gu

/** Set by the platform in every call. */
export const builtInVariables = ['caller', 'callee', 'date', 'time', 'weekday'] as const
/** Determines the date and time variables; not used in texts. */
export const TIME_ZONE = 'timeZone'

/** Unique, in order of appearance. */
export function namesIn(...texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(placeholder)].map((match) => match[1] as string)))]
}

export type Variable = { name: string; value: string; isUsed: boolean }

/** Variables used in the texts, then those that have a value but are not used. */
export function listVariables(texts: readonly string[], values: Readonly<Record<string, string>>): Variable[] {
  const used = namesIn(...texts).filter((name) => !builtInVariables.some((known) => known === name) || name in values)
  const others = Object.keys(values).filter((name) => name !== TIME_ZONE && !used.includes(name))
  return [
    ...used.map((name) => ({ name, value: values[name] ?? '', isUsed: true })),
    ...others.map((name) => ({ name, value: values[name] ?? '', isUsed: false })),
  ]
}

/** The text with its variables filled in. */
export const fillVariables = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (_, name: string) => values[name] ?? '')
