// A decision of the calling rules in words. What is stored is free-form JSON: everything unknown is left out. Pure.

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
}
type Free = Readonly<Record<string, unknown>>

const isFree = (value: unknown): value is Free => typeof value === 'object' && value !== null && !Array.isArray(value)
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

/** America/Sao_Paulo becomes Sao Paulo. */
const zoneName = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

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

export function decisionLines(decision: Free | null, words: DecisionWords, locale: string): string[] {
  if (!decision) return []
  // The rules' own part may stand inside, beside the lists.
  const trace = isFree(decision.rules) ? decision.rules : isFree(decision.trace) ? decision.trace : decision
  const lines: (string | null)[] = []
  for (const key of ['never', 'reason', 'why', 'by']) {
    const code = textOf(decision[key])
    if (code) lines.push(words.never[code] ?? words.reasons[code] ?? null)
  }
  const { window } = trace
  if (isFree(window)) {
    const [date, from, to] = [textOf(window.date), textOf(window.from), textOf(window.to)]
    if (date && from && to) lines.push(words.window(dayOf(date, locale), from, to))
  }
  const listed = (key: string, text: (all: string) => string, name = (one: string) => one) => {
    const all = textsOf(trace[key])
    if (all.length > 0) lines.push(text(all.map(name).join(', ')))
  }
  listed('zones', words.zones, zoneName)
  listed('regions', words.regions)
  listed('movedBy', words.movedBy, (id) => words.reasons[id] ?? id)
  listed('rules', words.rules)
  const [pack, version] = [textOf(trace.pack), textOf(trace.version)]
  if (pack && version) lines.push(words.pack(pack, version))
  const lists = listNames(decision.lists ?? decision.suppressions ?? decision.suppression, words)
  if (lists) lines.push(words.lists(lists))
  return lines.filter((line) => line !== null)
}
