// A decision of the calling rules as text. The stored decision is free-form JSON: anything unknown is left out. Pure.
import type { RulePack } from '../calling-rules/pack.ts'
import { regionName } from '../calling-rules/regions.ts'

export type DecisionWords = {
  pack(name: string, version: string): string
  window(date: string, from: string, to: string): string
  zones(names: string): string
  regions(names: string): string
  movedBy(rules: string): string
  rules(rules: string): string
  lists(lists: string): string
  ownList(n: string): string
  version(id: string, version: string): string
  never: Readonly<Record<string, string>>
  reasons: Readonly<Record<string, string>>
  retry(outcome: string): string
  resolved: string
  callback: string
  ruleNames: Readonly<Record<string, string>>
}
export type Context = {
  words: DecisionWords
  /** Texts of the outcomes. */
  outcomes: Readonly<Record<string, string>>
  locale: string
  /** The current version of the pack that decided, for the names of its rules. */
  pack: RulePack | null
}
type Free = Readonly<Record<string, unknown>>

const isFree = (value: unknown): value is Free => typeof value === 'object' && value !== null && !Array.isArray(value)
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

const wordOf = (words: Readonly<Record<string, string>>, code: string): string | null =>
  Object.hasOwn(words, code) ? (words[code] ?? null) : null

/** The colloquial name, such as Brasília time for America/Sao_Paulo: zones that share a time get the same name. */
function zoneName(zone: string, locale: string): string {
  try {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(
      Date.now(),
    )
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
  } catch {
    return zone
  }
}

function dayOf(date: string, locale: string): string {
  const at = new Date(`${date}T12:00:00Z`)
  if (Number.isNaN(at.getTime())) return date
  return at.toLocaleDateString(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
}

function listNames(value: unknown, words: DecisionWords): string | null {
  if (!isFree(value)) return null
  const own = textOf(value.own)
  const lists = Array.isArray(value.lists) ? value.lists.filter(isFree) : []
  const names = lists.map(({ id, version }) => words.version(textOf(id) ?? '?', textOf(version) ?? '?'))
  const all = [...(own === null ? [] : [words.ownList(own)]), ...names]
  return all.length === 0 ? null : all.join(', ')
}

/** The kind of rule that an id in the pack refers to. */
function ruleName(id: string, { words, pack }: Context): string {
  const known = wordOf(words.ruleNames, id)
  if (known || !pack) return known ?? id
  const kinds: Readonly<Record<string, unknown>> = pack
  for (const [kind, name] of Object.entries(words.ruleNames)) {
    const value = kinds[kind]
    const rules = Array.isArray(value) ? value : [value]
    if (rules.some((rule) => isFree(rule) && rule.id === id)) return name
  }
  return id
}

/** Why an attempt is due at that time, or never. */
function reasonLines(decision: Free, { words, outcomes }: Context): string[] {
  const lines: string[] = []
  for (const key of ['never', 'reason']) {
    const code = textOf(decision[key])
    const line = code && (wordOf(words.never, code) ?? wordOf(words.reasons, code))
    if (line) lines.push(line)
  }
  const retry = textOf(decision.retry)
  if (retry === 'in_doubt') lines.push(words.resolved)
  else if (retry) lines.push(words.retry(outcomes[retry] ?? retry))
  if (textOf(decision.callbackId)) lines.push(words.callback)
  return lines
}

/** With `isShort`, only why and when, without regions, time zones, rules and versions. */
export function decisionLines(decision: Free | null, context: Context, isShort = false): string[] {
  if (!decision) return []
  const { words, locale, pack: known } = context
  const lines = reasonLines(decision, context)
  const { window } = decision
  if (isFree(window)) {
    const [date, from, to] = [textOf(window.date), textOf(window.from), textOf(window.to)]
    if (date && from && to) lines.push(words.window(dayOf(date, locale), from, to))
  }
  const listed = (key: string, text: (all: string) => string, name: (one: string) => string) => {
    const all = [...new Set(textsOf(decision[key]).map(name))]
    if (all.length > 0) lines.push(text(all.join(', ')))
  }
  const nameOf = (id: string) => ruleName(id, context)
  listed('movedBy', words.movedBy, nameOf)
  if (isShort) return lines
  listed('zones', words.zones, (zone) => zoneName(zone, locale))
  listed('regions', words.regions, (one) => regionName(one, locale))
  listed('rules', words.rules, nameOf)
  const [pack, version] = [textOf(decision.pack), textOf(decision.version)]
  if (pack && version) lines.push(words.pack(known?.name ?? pack, version))
  const lists = listNames(decision.lists, words)
  if (lists) lines.push(words.lists(lists))
  return lines
}
