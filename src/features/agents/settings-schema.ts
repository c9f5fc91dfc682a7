// An agent's `settings`: turn-taking, speech, recording, analysis and limits. All optional; unknown names are rejected.
import { type Static, Type } from 'typebox'
import { Choice, FreeObject, Maybe, Strict } from '../../http/schema.ts'

const milliseconds = (minimum: number, maximum: number, description: string) =>
  Maybe(Type.Integer({ minimum, maximum, description }))
const flag = (description: string) => Maybe(Type.Boolean({ description }))
const phrase = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description ? { description } : {}) })

const Turn = Strict(
  {
    minPauseMs: milliseconds(0, 10_000, 'Shortest pause that can end a turn'),
    maxPauseMs: milliseconds(0, 30_000, 'Pause that always ends a turn'),
    speculate: flag('Start generating the reply before the end of the turn is certain (preemptive generation)'),
    interruptAfterMs: milliseconds(0, 10_000, 'Speech of this length interrupts the agent (barge-in)'),
    interruptAfterWords: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Words the caller must say before the agent is interrupted',
      }),
    ),
    idleReminderMs: milliseconds(0, 600_000, 'Silence after which the agent asks whether the caller is still there'),
    silenceHangupMs: milliseconds(1000, 3_600_000, 'Silence after which the call ends'),
    maxDurationMs: milliseconds(1000, 43_200_000, 'Longest duration of a call'),
  },
  { description: 'Turn-taking' },
)

const providerId = (description: string) =>
  Maybe(Type.String({ minLength: 1, maxLength: 64, description, examples: ['prv_3n5h7wzde'] }))
const MAX_FALLBACKS = 4
const providerName = Type.String({ minLength: 1, maxLength: 64, examples: ['prv_3n5h7wzde'] })
const ownDefault = Maybe(phrase(200, "Default: the account's own"))
const inOrder = (description: string) => ({
  maxItems: MAX_FALLBACKS,
  description: `${description}, in order; the embedded engines always come last`,
})
const modelFallbacks = (description: string) =>
  Maybe(Type.Array(Strict({ providerId: providerName, model: ownDefault }), inOrder(description)))
const voiceFallbacks = (description: string) =>
  Maybe(Type.Array(Strict({ providerId: providerName, voiceId: ownDefault }), inOrder(description)))

const LanguageModel = Strict(
  {
    providerId: providerId("Provider account; default: the owner's. llmConfig.model names its model"),
    fallbacks: modelFallbacks('Accounts that reply when it fails'),
  },
  { description: 'Language model' },
)

const Recognition = Strict(
  {
    provider: Maybe(phrase(64, 'Kept as it was stored, and not used: see providerId')),
    providerId: providerId("Provider account; default: the owner's, else the platform's"),
    model: Maybe(phrase(200, 'Model of the account')),
    fallbacks: modelFallbacks('Accounts that recognise speech when it fails'),
    hints: Maybe(Type.Array(phrase(200), { maxItems: 500, description: 'Names and terms to expect' })),
  },
  { description: 'Speech recognition' },
)

const AgentVoice = Strict(
  {
    speed: Maybe(Type.Number({ minimum: 0.5, maximum: 2, description: '1 is normal speed' })),
    providerId: providerId('Provider account that has voiceId; default: ttsProvider'),
    fallbacks: voiceFallbacks('Accounts that speak when it fails'),
  },
  { description: 'Speech synthesis' },
)

const Pronunciation = Type.Array(
  Strict({
    from: Type.String({ minLength: 1, maxLength: 200, description: 'As written' }),
    to: phrase(200, 'As spoken'),
  }),
  { maxItems: 500, description: 'How to pronounce names and abbreviations' },
)

const Analysis = Strict(
  {
    summary: flag('Write a summary; default true'),
    success: Maybe(phrase(2000, 'The goal that the analysis checks')),
    fields: Maybe(FreeObject({ 'x-max-depth': 10, description: 'JSON Schema of the values to extract' })),
  },
  { description: 'Post-call analysis' },
)

/** The same list as in dictation/kinds.ts. */
const collectKinds = ['cpf', 'cnpj', 'cep', 'phone', 'email', 'date', 'money', 'name', 'plate', 'number'] as const

const Collect = Strict(
  {
    enabled: flag('Offer the function to the model; default true'),
    kinds: Maybe(
      Type.Array(Choice([...collectKinds]), { maxItems: 20, description: 'What may be collected; default all kinds' }),
    ),
  },
  { description: 'The built-in function collect: takes down numbers, names, dates and e-mail addresses in calls' },
)

export const exampleSettings = {
  firstMessage: 'agent_first',
  interruptible: true,
  turn: { minPauseMs: 300, maxPauseMs: 2500, speculate: true, silenceHangupMs: 30_000, maxDurationMs: 900_000 },
  recognition: { hints: ['Clínica Aurora', 'dermatologia', 'Unimed'] },
  pronunciation: [{ from: 'Dra.', to: 'doutora' }],
  voice: { speed: 1 },
  recording: { enabled: true, consentNotice: 'Esta ligação será gravada.' },
  voicemail: { action: 'message', message: 'Aqui é da Clínica Aurora. Ligamos de novo mais tarde.' },
  analysis: {
    summary: true,
    success: 'A consulta foi marcada',
    fields: { type: 'object', properties: { especialidade: { type: 'string' } } },
  },
  endPhrases: ['era só isso, obrigado'],
  tools: { maxCalls: 50, maxEffects: 20 },
  variables: { clinica: 'Clínica Aurora' },
}

export const AgentSettings = Strict(
  {
    firstMessage: Maybe(
      Choice(['agent_first', 'agent_first_generated', 'caller_first'], {
        description:
          'Who speaks first: the agent with initialSpeech, the agent with a generated sentence, or the caller',
      }),
    ),
    interruptible: flag('The caller can interrupt the agent'),
    turn: Maybe(Turn),
    recognition: Maybe(Recognition),
    pronunciation: Maybe(Pronunciation),
    voice: Maybe(AgentVoice),
    llm: Maybe(LanguageModel),
    recording: Maybe(
      Strict({
        enabled: flag('Record the calls of this agent'),
        consentNotice: Maybe(phrase(2000, 'Spoken before the recording starts')),
      }),
    ),
    voicemail: Maybe(
      Strict(
        { action: Maybe(Choice(['hangup', 'message', 'ignore'])), message: Maybe(phrase(2000, 'Left after the beep')) },
        { description: 'What to do when voicemail answers an outbound call' },
      ),
    ),
    analysis: Maybe(Analysis),
    endPhrases: Maybe(
      Type.Array(phrase(200), { maxItems: 100, description: 'Phrases of the caller that end the call' }),
    ),
    tools: Maybe(
      Strict(
        {
          maxCalls: Maybe(Type.Integer({ minimum: 1, maximum: 1000, description: 'Tool calls; default 50' })),
          maxEffects: Maybe(
            Type.Integer({ minimum: 0, maximum: 1000, description: 'Tool calls with side effects; default 20' }),
          ),
        },
        { description: 'Tool-call limits per conversation or call within 24 hours' },
      ),
    ),
    collect: Maybe(Collect),
    variables: Maybe(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 5000 },
        description: 'Default values for {{name}} in the prompt and the opening phrase',
      }),
    ),
  },
  {
    description: 'Turn-taking, speech, recording, analysis and limits',
    'x-max-bytes': 32_768,
    examples: [exampleSettings],
  },
)
export type AgentSettings = Static<typeof AgentSettings>
