// The rehearsal form, which edits the script itself: kinds of steps and expectations, and validation. Pure.
import type { RehearsalScript } from '../../../../client/paths.ts'

export type Script = RehearsalScript['script']
export type Step = NonNullable<Script['steps']>[number]
export type Expectation = NonNullable<Script['expect']>[number]
export type Words = NonNullable<Expectation['said']>

export const stepKinds = ['says', 'presses', 'waits', 'noise', 'outage', 'hangsUp'] as const
export type StepKind = (typeof stepKinds)[number]

export const outages = ['llm', 'stt', 'tts', 'all', 'none'] as const satisfies readonly NonNullable<Step['outage']>[]
export const chains = ['llm', 'stt', 'tts', 'none'] as const satisfies readonly NonNullable<Expectation['degraded']>[]

export const starts = ['answer', 'after', 'interrupt'] as const
/** When a step starts: after the agent has answered, after the previous step, or while the agent speaks. */
export type Start = (typeof starts)[number]

export const expectationKinds = [
  'said',
  'notSaid',
  'heard',
  'toolRan',
  'toolNotRan',
  'turnUnderMs',
  'interrupted',
  'endReason',
  'degraded',
] as const
export type ExpectationKind = (typeof expectationKinds)[number]

const isGiven = (value: unknown) => value !== undefined && value !== null

export const stepKindOf = (step: Step): StepKind => stepKinds.find((kind) => isGiven(step[kind])) ?? 'says'

export function newStep(kind: StepKind): Step {
  if (kind === 'says') return { says: '' }
  if (kind === 'presses') return { presses: '' }
  if (kind === 'hangsUp') return { hangsUp: true }
  if (kind === 'outage') return { outage: 'llm' }
  return { [kind]: 3000 }
}

export const startOf = ({ afterMs, interruptsAfterMs }: Step): Start =>
  isGiven(interruptsAfterMs) ? 'interrupt' : isGiven(afterMs) ? 'after' : 'answer'

export const startMsOf = ({ afterMs, interruptsAfterMs }: Step): number => interruptsAfterMs ?? afterMs ?? 0

export function withStart({ afterMs, interruptsAfterMs, ...step }: Step, start: Start, ms: number): Step {
  if (start === 'answer') return step
  return start === 'after' ? { ...step, afterMs: ms } : { ...step, interruptsAfterMs: ms }
}

export function expectationKindOf({ said, heard, ...rest }: Expectation): ExpectationKind {
  if (said) return isGiven(said.not) && !isGiven(said.contains) && !isGiven(said.matches) ? 'notSaid' : 'said'
  if (heard) return 'heard'
  const kinds = ['toolRan', 'toolNotRan', 'turnUnderMs', 'interrupted', 'endReason', 'degraded'] as const
  return kinds.find((kind) => isGiven(rest[kind])) ?? 'said'
}

export function newExpectation(kind: ExpectationKind): Expectation {
  if (kind === 'said' || kind === 'heard') return { [kind]: { contains: '' } }
  if (kind === 'notSaid') return { said: { not: '' } }
  if (kind === 'turnUnderMs') return { turnUnderMs: 2000 }
  if (kind === 'interrupted') return { interrupted: 2 }
  if (kind === 'degraded') return { degraded: 'llm' }
  return { [kind]: kind === 'endReason' ? 'caller_hangup' : '' }
}

/** Keys like `steps.0` whose text is missing or invalid. */
export function problemsOf({ steps, expect }: Script): string[] {
  const isEmpty = (text: string | null | undefined) => isGiven(text) && text?.trim() === ''
  const wrongSteps = (steps ?? []).flatMap((step, i) => {
    const isWrong = isEmpty(step.says) || (isGiven(step.presses) && !/^[0-9*#A-D]{1,64}$/.test(step.presses ?? ''))
    return isWrong ? [`steps.${i}`] : []
  })
  const wrongChecks = (expect ?? []).flatMap(({ said, heard, toolRan, toolNotRan }, i) => {
    const words = said ?? heard
    const texts = [words?.contains, words?.matches, words?.not, toolRan, toolNotRan]
    return texts.some(isEmpty) ? [`expect.${i}`] : []
  })
  return [...wrongSteps, ...wrongChecks]
}

export const isSameScript = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Parses a JSON object; null if the text is anything else. */
export function parseScript(text: string): Script | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Script) : null
  } catch {
    return null
  }
}

/** Moves an item up or down by one. */
export function moved<T>(items: readonly T[], from: number, by: 1 | -1): T[] {
  const next = [...items]
  const to = from + by
  if (to < 0 || to >= next.length) return next
  ;[next[from], next[to]] = [next[to] as T, next[from] as T]
  return next
}

/** A tool result as the text of a form row. Text that parses as a JSON object or array is sent as JSON. */
export const toolTextOf = (tool: { result?: unknown; error?: string | null }): string =>
  tool.error ??
  (typeof tool.result === 'string' ? tool.result : tool.result === undefined ? '' : JSON.stringify(tool.result))

type ScriptedTools = NonNullable<Script['tools']>

/** Builds the tools from form rows; keeps delays and endings, which only the JSON view shows. */
export function toolsOf(rows: Readonly<Record<string, string>>, before: ScriptedTools): ScriptedTools {
  return Object.fromEntries(
    Object.entries(rows).map(([name, text]) => {
      const { result, error, ...rest } = before[name] ?? {}
      return [name, typeof error === 'string' ? { ...rest, error: text } : { ...rest, result: jsonOr(text) }]
    }),
  )
}

function jsonOr(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Fields that the form does not show. */
export const hasHiddenFields = ({ agent, timing, noiseDb, agentVoice, steps }: Script): boolean =>
  [agent, timing, noiseDb, agentVoice].some(isGiven) || (steps ?? []).some(({ audio }) => isGiven(audio))
