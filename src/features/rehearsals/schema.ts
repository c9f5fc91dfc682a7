// API schemas of rehearsals: the script and its outcome.
import { type Static, Type } from 'typebox'
import { failureReasons } from '../../base/domain/provider-kinds.ts'
import {
  Body,
  Choice,
  Example,
  exampleId,
  FreeObject,
  Id,
  Maybe,
  Nullable,
  Strict,
  Text,
  Timestamp,
} from '../../http/schema.ts'
import { AgentPatch } from '../agents/schema.ts'
import { Turn } from '../calls/schema.ts'

export const MAX_STEPS = 200
const MAX_TURNS = 1000

const ms = (maximum: number, description?: string) =>
  Maybe(Type.Integer({ minimum: 0, maximum, ...(description ? { description } : {}) }))
const words = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const id = Type.String({ minLength: 1, maxLength: 64 })

const Step = Strict({
  says: Maybe(words(2000)),
  ms: ms(60_000, 'Duration of the utterance; estimated from its length if omitted'),
  audio: Maybe(
    Type.String({ maxLength: 14_000_000, description: 'Base64-encoded WAV file played instead (audio mode)' }),
  ),
  waits: ms(600_000, 'Silence, in ms'),
  presses: Maybe(Type.String({ pattern: '^[0-9*#A-D]{1,64}$', description: 'DTMF digits' })),
  noise: ms(60_000, 'Noise without speech, in ms'),
  hangsUp: Maybe(Type.Boolean()),
  outage: Maybe(
    Choice(['llm', 'stt', 'tts', 'all', 'none'], {
      description:
        'From now on the agent’s external providers of this kind refuse connections; none: they work again. afterMs 0: at once',
    }),
  ),
  afterMs: ms(600_000, 'Start this long after the previous step, whatever the agent does'),
  interruptsAfterMs: ms(600_000, 'Interrupt this long after the agent starts to speak'),
})

const Words = Strict({
  contains: Maybe(words(2000)),
  matches: Maybe(Type.String({ minLength: 1, maxLength: 1000, description: 'A regular expression (RE2)' })),
  not: Maybe(words(2000)),
  turn: Maybe(Type.Integer({ minimum: 1, maximum: MAX_TURNS })),
})
const turn = Maybe(Type.Integer({ minimum: 1, maximum: MAX_TURNS }))

const Expectation = Strict({
  said: Maybe(Words),
  heard: Maybe(Words),
  toolRan: Maybe(words(255)),
  args: Maybe(FreeObject({ 'x-max-bytes': 32_768, 'x-max-depth': 10 })),
  times: Maybe(Type.Integer({ minimum: 0, maximum: 100 })),
  toolNotRan: Maybe(words(255)),
  turnUnderMs: Maybe(Type.Integer({ minimum: 1, maximum: 600_000 })),
  turn,
  interrupted: turn,
  endReason: Maybe(words(64)),
  degraded: Maybe(
    Choice(['llm', 'stt', 'tts', 'none'], {
      description: 'This chain of providers used another than its first; none: no chain did',
    }),
  ),
})

const ScriptedTool = Strict({
  result: Type.Optional(
    Type.Unsafe<unknown>({ description: 'The tool result: text or any JSON', 'x-max-bytes': 32_768 }),
  ),
  error: Maybe(words(2000)),
  delayMs: ms(120_000),
  endsCall: Maybe(words(64)),
})

const { name, systemPrompt, voiceId, language, ttsProvider, initialSpeech, llmConfig, provider_aConfig, settings } =
  AgentPatch.properties
const AgentChanges = Strict(
  { name, systemPrompt, voiceId, language, ttsProvider, initialSpeech, llmConfig, provider_aConfig, settings },
  { description: 'Overrides of the stored agent for this rehearsal; not saved' },
)
export type AgentChanges = Static<typeof AgentChanges>

/** What is rehearsed, apart from the agent and the name. */
const scriptFields = {
  agent: Maybe(AgentChanges),
  mode: Maybe(Choice(['text', 'audio'])),
  agentVoice: Maybe(
    Choice(['scripted', 'real'], { description: 'In audio mode: real synthesises the speech of the agent' }),
  ),
  direction: Maybe(Choice(['inbound', 'outbound'])),
  variables: Maybe(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 5000 },
      'x-max-bytes': 32_768,
    }),
  ),
  steps: Maybe(Type.Array(Step, { maxItems: MAX_STEPS })),
  tools: Maybe(
    Type.Unsafe<Record<string, Static<typeof ScriptedTool>>>({
      type: 'object',
      additionalProperties: ScriptedTool,
      maxProperties: 100,
      description: 'Result of each tool by name; others get a neutral result. No tool is run',
    }),
  ),
  expect: Maybe(Type.Array(Expectation, { maxItems: 200 })),
  timing: Maybe(
    Strict(
      { recognitionMs: ms(60_000), modelMs: ms(60_000), synthesisMs: ms(60_000) },
      { description: 'Simulated durations of the stages, instead of the measured ones' },
    ),
  ),
  noiseDb: Maybe(Type.Number({ minimum: -90, maximum: -10, description: 'Background noise level (audio mode)' })),
}

/** The content of a saved rehearsal. */
export const Script = Strict(scriptFields)
export type Script = Static<typeof Script>

export const NewRehearsal = Body(
  {
    agentId: Maybe(id),
    name: Maybe(Text(255)),
    replayOf: Maybe(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a call whose caller is replayed' })),
    ...scriptFields,
  },
  {
    examples: [
      {
        agentId: exampleId('agt'),
        name: 'Marcar consulta',
        steps: [{ says: 'Quero marcar uma consulta.' }, { says: 'Dermatologia, por favor.' }, { hangsUp: true }],
        tools: { consultar_agenda: { result: 'Livre: quinta 10:00' } },
        expect: [
          { said: { contains: 'especialidade' } },
          { toolRan: 'consultar_agenda', times: 1 },
          { turnUnderMs: 2000 },
        ],
      },
    ],
  },
)
export type NewRehearsal = Static<typeof NewRehearsal>

const status = Choice(['running', 'passed', 'failed', 'error'], { examples: ['passed'] })

const shared = {
  id: Id('reh'),
  name: Example('Marcar consulta'),
  agentId: Id('agt'),
  mode: Choice(['text', 'audio']),
  replayOf: Nullable(Id('call', { examples: [null] })),
  status,
  checksPassed: Type.Integer({ examples: [2] }),
  checksFailed: Type.Integer({ examples: [0] }),
  durationMs: Nullable(Type.Integer({ examples: [18400], description: 'Duration of the call in simulated time' })),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
}

export const ListedRehearsal = Type.Object(shared, { title: 'ListedRehearsal' })
export type ListedRehearsal = Static<typeof ListedRehearsal>

const { at: _, ...turnFields } = Turn.properties

export const ComparedTurn = Type.Object({
  turn: Type.Integer({ examples: [1], description: 'Turn number of the replayed call, or of the first run' }),
  caller: Nullable(Example('Quero marcar uma consulta.')),
  before: Nullable(Example('Claro! Qual especialidade?')),
  after: Nullable(Example('Claro! Para qual especialidade?')),
  beforeMs: Nullable(Type.Integer({ examples: [720] })),
  afterMs: Nullable(Type.Integer({ examples: [640] })),
  isSame: Type.Boolean({ examples: [false] }),
  similarity: Type.Number({ examples: [0.8], description: '1: same words; 0: none in common' }),
})
export type ComparedTurn = Static<typeof ComparedTurn>

/** Stored as one JSON value. */
const outcome = {
  error: Nullable(Example('', { examples: [null], description: 'Why the rehearsal could not be completed' })),
  llm: Nullable(Type.Object({ name: Example('gpt-5-mini'), isModel: Type.Boolean() })),
  checks: Type.Array(
    Type.Object({
      text: Example('the agent says "especialidade"'),
      passed: Type.Boolean(),
      detail: Example('in turn 1'),
    }),
  ),
  transcript: Type.Array(
    Type.Object({
      who: Choice(['caller', 'agent']),
      text: Example('Quero marcar uma consulta.'),
      fromMs: Type.Integer({ examples: [1200] }),
      toMs: Type.Integer({ examples: [3100] }),
      isCut: Type.Boolean({ examples: [false] }),
    }),
  ),
  toolCalls: Type.Array(
    Type.Object({
      name: Example('consultar_agenda'),
      args: Type.Unsafe<unknown>({ examples: [{ especialidade: 'dermatologia' }] }),
      atMs: Type.Integer({ examples: [5200] }),
      result: Example('Livre: quinta 10:00'),
      failed: Type.Boolean({ examples: [false] }),
      isScripted: Type.Boolean({ description: 'false: not in `tools`, so it got a neutral result' }),
    }),
  ),
  turns: Type.Array(Type.Object({ ...turnFields, atMs: Type.Integer({ examples: [3790] }) })),
  endReason: Nullable(Example('caller_hangup')),
  stepsPlayed: Type.Integer({ examples: [3] }),
  comparison: Nullable(Type.Array(ComparedTurn)),
  chainEvents: Type.Optional(
    Type.Array(
      Type.Object({
        atMs: Type.Integer({ examples: [8200] }),
        type: Choice(['degraded', 'recovered'], { examples: ['degraded'] }),
        kind: Choice(['llm', 'stt', 'tts'], { examples: ['llm'] }),
        provider: Example('Built-in', { description: 'Who serves from then on' }),
        reason: Nullable(Choice([...failureReasons], { examples: ['unreachable'] })),
      }),
      { description: 'Changes of providers, where an outage was rehearsed' },
    ),
  ),
}
const RehearsalOutcome = Type.Object(outcome)
export type RehearsalOutcome = Static<typeof RehearsalOutcome>

export const Rehearsal = Type.Object({ ...shared, ...outcome }, { title: 'Rehearsal' })
export type Rehearsal = Static<typeof Rehearsal>
