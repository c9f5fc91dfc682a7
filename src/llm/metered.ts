// Meters the operator's language models for members: counts tokens, bounds the length of replies, and uses only models that the operator
// has listed. Tokens are estimated from characters: few servers report them in streams.
import type { Meter } from '../base/meter.ts'
import type { Llm, LlmPart, Message, Tool } from '../voice/ports.ts'
import type { LlmSet } from './open.ts'

type MeteredLlms = {
  userId: string
  meter: Pick<Meter, 'spend' | 'add'>
  /** The operator has listed no models: agents cannot choose any but the default. */
  hasDefaultOnly: boolean
}

/** The longest reply of a member's agent, whatever its `llmConfig` asks for. */
const MEMBER_MAX_TOKENS = 4096
/** Reserved before a reply and corrected after it, so that parallel replies do not exceed the budget together. */
const EXPECTED_TOKENS = 256
const LETTERS_PER_TOKEN = 4
const limitNames = new Set(['maxTokens', 'max_tokens', 'maxCompletionTokens', 'max_completion_tokens'])

export function meteredLlms(set: LlmSet, { userId, meter, hasDefaultOnly }: MeteredLlms): LlmSet {
  const counted = (llm: Llm): Llm => ({
    ...llm,
    async *reply(history, tools, options, signal) {
      await meter.spend(userId, 'llmTokens', tokensOf(lettersOf(history, tools)) + EXPECTED_TOKENS)
      let letters = 0
      try {
        for await (const part of llm.reply(history, tools, options, signal)) {
          letters += lettersIn(part)
          yield part
        }
      } finally {
        void meter.add(userId, 'llmTokens', tokensOf(letters) - EXPECTED_TOKENS)
      }
    },
  })
  const permitted = (given: Parameters<LlmSet['llmFor']>[0]) =>
    given && Object.fromEntries(Object.entries(given).flatMap((entry) => permittedOf(entry, hasDefaultOnly)))
  return {
    llmFor: (llmConfig) => counted(set.llmFor(permitted(llmConfig))),
    backgroundLlm: (llmConfig) => counted(set.backgroundLlm(permitted(llmConfig))),
  }
}

function permittedOf([name, value]: [string, unknown], hasDefaultOnly: boolean): [string, unknown][] {
  if (name === 'model' && hasDefaultOnly) return []
  return [[name, limitNames.has(name) && typeof value === 'number' ? Math.min(value, MEMBER_MAX_TOKENS) : value]]
}

const tokensOf = (letters: number) => Math.ceil(letters / LETTERS_PER_TOKEN)

const lettersOf = (history: readonly Message[], tools: readonly Tool[]): number =>
  history.reduce((sum, { content, note = '', calls }) => sum + content.length + note.length + sizeOf(calls), 0) +
  tools.reduce(
    (sum, { name, description, parameters }) => sum + name.length + description.length + sizeOf(parameters),
    0,
  )

const lettersIn = (part: LlmPart): number => ('say' in part ? part.say.length : sizeOf(part.call))

const sizeOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length)
