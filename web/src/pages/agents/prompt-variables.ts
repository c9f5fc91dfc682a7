// The {{names}} that an agent's texts hold. Pure.
const placeholder = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})\s*\}\}/gu

/** Filled in by the platform itself in every call. */
export const builtInVariables = ['caller', 'callee', 'date', 'time', 'weekday'] as const
/** Decides the hour and the day, and is in no text. */
export const TIME_ZONE = 'timeZone'

/** Each once, in the order in which they are met. */
export function namesIn(...texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(placeholder)].map((match) => match[1] as string)))]
}

export type Variable = { name: string; value: string; isUsed: boolean }

/** Those to be given a value: what the texts ask for, then what has a value that no text asks for. */
export function listVariables(texts: readonly string[], values: Readonly<Record<string, string>>): Variable[] {
  const used = namesIn(...texts).filter((name) => !builtInVariables.some((known) => known === name) || name in values)
  const others = Object.keys(values).filter((name) => name !== TIME_ZONE && !used.includes(name))
  return [
    ...used.map((name) => ({ name, value: values[name] ?? '', isUsed: true })),
    ...others.map((name) => ({ name, value: values[name] ?? '', isUsed: false })),
  ]
}

/** As it would be said, where the values are known. */
export const fillVariables = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (_, name: string) => values[name] ?? '')
