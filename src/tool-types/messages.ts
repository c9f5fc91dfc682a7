// Chooses a tool's spoken message: by language, by conditions on the arguments, and at random among several.
import type { ToolMessage, ToolMessages } from '../voice/ports.ts'
import type { Json } from './ports.ts'
import { plainText } from './results.ts'

type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
export type Condition = { param: string; operator: Operator; value: unknown }
type Form = {
  content?: string | null
  contents?: readonly { language: string; content: string }[] | null
  blocking?: boolean | null
  role?: 'assistant' | 'system' | null
  endCall?: boolean | null
  timingMs?: number | null
  conditions?: readonly Condition[] | null
}

const DELAYS_MS = [3000, 8000]
const THEN_EVERY_MS = 8000
const MAX_ARGUMENT = 200

/** 0 to 1, like Math.random. */
export type Random = () => number

export function toolMessages(messages: Json | null, language: string, chance: Random): ToolMessages {
  const forms = (name: string) => formsOf(messages?.[name])
  const one = (name: string) => (args: unknown) => {
    const chosen = choose(
      forms(name).filter((form) => textOf(form, language, args) !== '' && holds(form, args)),
      chance,
    )
    return chosen ? messageOf(chosen, language, args) : null
  }
  return {
    start: one('start'),
    complete: one('complete'),
    failed: one('failed'),
    delayed: (args) => staged(forms('delayed'), language, args, chance),
  }
}

function formsOf(value: unknown): Form[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(formsOf)
  return typeof value === 'string' ? [{ content: value }] : [value as Form]
}

/** Messages with conditions take precedence over those without. */
function choose(fitting: readonly Form[], chance: Random): Form | undefined {
  const special = fitting.filter(hasConditions)
  const from = special.length > 0 ? special : fitting
  return from[Math.floor(chance() * from.length)]
}

/** One variant is chosen per time; messages without a time come at 3 s, at 8 s and so on, in any order. */
function staged(forms: readonly Form[], language: string, args: unknown, chance: Random) {
  const fitting = forms.filter((form) => textOf(form, language, args) !== '' && holds(form, args))
  const timed = Map.groupBy(
    fitting.filter(({ timingMs }) => typeof timingMs === 'number'),
    ({ timingMs }) => timingMs as number,
  )
  const stages = [...timed].flatMap(([atMs, variants]) => {
    const chosen = choose(variants, chance)
    return chosen ? [{ ...messageOf(chosen, language, args), atMs }] : []
  })
  let left = fitting.filter(({ timingMs }) => typeof timingMs !== 'number')
  for (let i = 0; left.length > 0; i++) {
    const chosen = choose(left, chance) as Form
    left = left.filter((form) => form !== chosen)
    const atMs = DELAYS_MS[i] ?? (DELAYS_MS.at(-1) as number) + (i + 1 - DELAYS_MS.length) * THEN_EVERY_MS
    if (!timed.has(atMs)) stages.push({ ...messageOf(chosen, language, args), atMs })
  }
  return stages.sort((a, b) => a.atMs - b.atMs)
}

const messageOf = (form: Form, language: string, args: unknown): ToolMessage => ({
  text: textOf(form, language, args),
  role: form.role ?? 'assistant',
  isBlocking: form.blocking ?? false,
  endsCall: form.endCall ?? false,
})

function textOf({ content, contents }: Form, language: string, args: unknown): string {
  const main = (tag: string) => tag.toLowerCase().split('-')[0]
  const own =
    contents?.find((each) => each.language.toLowerCase() === language.toLowerCase()) ??
    contents?.find((each) => main(each.language) === main(language))
  return filled(own?.content ?? content ?? '', args).trim()
}

/** {name} becomes that argument, or nothing. Placeholders inside a value are not filled. */
const filled = (text: string, args: unknown): string =>
  text.replace(/\{([\p{L}\p{N}_.-]{1,255})\}/gu, (_, name: string) => {
    const value = argumentOf(args, name)
    return isPlain(value) ? plainText(String(value)).slice(0, MAX_ARGUMENT) : ''
  })

export function argumentOf(args: unknown, name: string): unknown {
  if (isObject(args) && Object.hasOwn(args, name)) return args[name]
  return name
    .split('.')
    .reduce<unknown>((part, key) => (isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined), args)
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const hasConditions = ({ conditions }: Form) => (conditions ?? []).length > 0

const holds = ({ conditions }: Form, args: unknown): boolean =>
  (conditions ?? []).every(({ param, operator, value }) => compare(argumentOf(args, param), operator, value))

/** As numbers if both are numbers; otherwise, such as dates, as text. */
export function compare(given: unknown, operator: Operator, wanted: unknown): boolean {
  if (!isPlain(given)) return operator === 'neq'
  const numbers = [given, wanted].map((value) => (String(value).trim() === '' ? Number.NaN : Number(value)))
  const areNumbers = numbers.every(Number.isFinite) && typeof given !== 'boolean' && typeof wanted !== 'boolean'
  const [a, b] = areNumbers ? (numbers as [number, number]) : [String(given), String(wanted)]
  switch (operator) {
    case 'eq':
      return a === b
    case 'neq':
      return a !== b
    case 'gt':
      return a > b
    case 'gte':
      return a >= b
    case 'lt':
      return a < b
    case 'lte':
      return a <= b
  }
}
