// An agent's `settings`: how it takes turns, records, ends. Ours, all optional; an unknown name is a mistake and is told.
import { type Static, Type } from 'typebox'
import { Choice, FreeObject, Maybe, Strict } from '../../http/schema.ts'

const ms = (minimum: number, maximum: number) => Maybe(Type.Integer({ minimum, maximum }))
const phrase = (maxLength = 2000) => Type.String({ maxLength })

export const AgentSettings = Strict(
  {
    firstMessage: Maybe(Choice(['agent_first', 'agent_first_generated', 'caller_first'])),
    interruptible: Maybe(Type.Boolean()),
    turn: Maybe(
      Strict({
        minPauseMs: ms(0, 10_000),
        maxPauseMs: ms(0, 30_000),
        speculate: Maybe(Type.Boolean()),
        interruptAfterMs: ms(0, 10_000),
        interruptAfterWords: ms(0, 100),
        idleReminderMs: ms(0, 600_000),
        silenceHangupMs: ms(1000, 3_600_000),
        maxDurationMs: ms(1000, 43_200_000),
      }),
    ),
    recognition: Maybe(
      Strict({ provider: Maybe(phrase(64)), hints: Maybe(Type.Array(phrase(200), { maxItems: 500 })) }),
    ),
    pronunciation: Maybe(
      Type.Array(Strict({ from: Type.String({ minLength: 1, maxLength: 200 }), to: phrase(200) }), { maxItems: 500 }),
    ),
    voice: Maybe(Strict({ speed: Maybe(Type.Number({ minimum: 0.5, maximum: 2 })) })),
    recording: Maybe(Strict({ enabled: Maybe(Type.Boolean()), consentNotice: Maybe(phrase()) })),
    voicemail: Maybe(Strict({ action: Maybe(Choice(['hangup', 'message', 'ignore'])), message: Maybe(phrase()) })),
    analysis: Maybe(
      Strict({
        summary: Maybe(Type.Boolean()),
        success: Maybe(phrase()),
        fields: Maybe(FreeObject({ 'x-max-depth': 10 })),
      }),
    ),
    endPhrases: Maybe(Type.Array(phrase(200), { maxItems: 100 })),
    tools: Maybe(
      Strict(
        { maxCalls: Maybe(Type.Integer({ minimum: 1, maximum: 1000 })), maxEffects: ms(0, 1000) },
        {
          description:
            'Tool-call limits per conversation or call within 24 hours; defaults: 50 calls, of which 20 with side effects',
        },
      ),
    ),
    variables: Maybe(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 5000 },
        description: 'Default values for {{name}} in the prompt and the opening phrase',
      }),
    ),
  },
  { 'x-max-bytes': 32_768 },
)
export type AgentSettings = Static<typeof AgentSettings>
