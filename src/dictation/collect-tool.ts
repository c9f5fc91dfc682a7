// The tool `collect`: its arguments, and the result that starts the dialogue.
import type { Tool } from '../voice/ports.ts'
import type { CollectRequest } from './collect-dialogue.ts'
import { type ReadingContext, type ValueKind, valueKinds } from './kinds.ts'

export const COLLECT = 'collect'
const MAX_TEXT = 300

const description = `Takes down a value from the caller reliably, and hands it back validated. It asks the question, joins what is dictated in several turns, checks digits and format, reads the value back, takes corrections and keypad digits, and returns once the caller has confirmed. Always use it when you need one of these kinds, instead of asking and noting it down yourself. Call it alone, without saying anything else in the same turn.`

type CollectToolOptions = {
  /** BCP 47. */
  language: string
  /** ISO date in the agent's time zone. */
  today: () => string
  kinds?: readonly ValueKind[]
  /** Set if another tool of the agent has the usual name. */
  name?: string
}

export function collectTool({ language, today, kinds = valueKinds, name = COLLECT }: CollectToolOptions): Tool {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: kinds, description: 'What to take down' },
        question: { type: 'string', description: "The question, in the caller's language. A usual one if absent" },
        label: {
          type: 'string',
          description: 'What it is called, with its article, in the language of the caller: "a data de nascimento"',
        },
        said: { type: 'string', description: 'What the caller has already said of the value, word for word' },
        digits: { type: 'integer', minimum: 1, maximum: 40, description: 'For kind number: how many digits it has' },
        confirm: { type: 'boolean', description: 'False skips the confirmation; only where a mistake does no harm' },
        optional: { type: 'boolean', description: 'The conversation can go on without it' },
      },
      required: ['kind'],
      additionalProperties: false,
    },
    async run({ args }) {
      const request = requestOf(args, kinds)
      if (!request) return { text: `Invalid arguments: kind must be one of ${kinds.join(', ')}.`, failed: true }
      return { text: startedText({ language, today: today() }), failed: false }
    },
  }
}

/** The call's result while the dialogue runs. Holds the context, so that the history alone determines its state. */
const startedText = (context: ReadingContext): string => JSON.stringify({ status: 'collecting', ...context })

/** Null if this result starts no dialogue. */
export function startedContext(text: string): ReadingContext | null {
  if (!text.startsWith('{"status":"collecting"')) return null
  try {
    const { language, today } = JSON.parse(text) as Partial<ReadingContext>
    return typeof language === 'string' ? { language, ...(typeof today === 'string' ? { today } : {}) } : null
  } catch {
    return null
  }
}

/** Null if the arguments are invalid. Invalid optional ones are ignored. */
export function requestOf(args: unknown, kinds: readonly ValueKind[] = valueKinds): CollectRequest | null {
  if (typeof args !== 'object' || args === null) return null
  const { kind, question, label, said, digits, confirm, optional } = args as Record<string, unknown>
  const known = kinds.find((each) => each === kind)
  if (!known) return null
  return {
    kind: known,
    ...textField('question', question),
    ...textField('label', label),
    ...textField('said', said),
    ...(Number.isInteger(digits) && Number(digits) > 0 && Number(digits) <= 40 ? { digits: Number(digits) } : {}),
    confirm: confirm !== false,
    isOptional: optional === true,
  }
}

const textField = <Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> =>
  typeof value === 'string' && value.trim() !== ''
    ? ({ [name]: value.trim().slice(0, MAX_TEXT) } as Record<Name, string>)
    : {}
