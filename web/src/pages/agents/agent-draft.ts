// An agent as a flat form draft, and the patch with the changes. Pure.
import type { Agent, paths } from '../../../../client/paths.ts'
import type { Provider } from '../../components/voice-providers.ts'
import { chainKinds, chainOf, fallbackField, itemProblems } from './providers/chain-draft.ts'
import { type ChainItem, fallbacksOf, itemsOf } from './providers/chain-settings.ts'

export type AgentPatch = paths['/api/agents/{id}']['patch']['requestBody']['content']['application/json']
type Settings = NonNullable<AgentPatch['settings']>
type Free = Record<string, unknown>

const turnNames = [
  'minPauseMs',
  'maxPauseMs',
  'interruptAfterMs',
  'interruptAfterWords',
  'idleReminderMs',
  'silenceHangupMs',
  'maxDurationMs',
] as const
export type TurnName = (typeof turnNames)[number]

/** Empty means the default. */
export type OptionalNumber = number | ''

export type Draft = {
  name: string
  description: string
  isActive: boolean
  direction: Agent['direction']
  language: string
  systemPrompt: string
  initialSpeech: string
  firstMessage: 'agent_first' | 'agent_first_generated' | 'caller_first'
  variables: Readonly<Record<string, string>>
  ttsProvider: Provider
  voiceId: string
  speed: number
  pronunciation: readonly { from: string; to: string }[]
  providerA: string
  hints: readonly string[]
  model: string
  temperature: OptionalNumber
  maxTokens: OptionalNumber
  moreModel: string
  /** The account of the first link of each chain; empty means the default account. */
  llmProvider: string
  sttProvider: string
  voiceProvider: string
  sttModel: string
  llmFallbacks: readonly ChainItem[]
  sttFallbacks: readonly ChainItem[]
  voiceFallbacks: readonly ChainItem[]
  interruptible: boolean
  speculate: boolean
  collects: boolean
  turn: Readonly<Record<TurnName, OptionalNumber>>
  endPhrases: readonly string[]
  isRecorded: boolean
  consentNotice: string
  voicemailAction: 'ignore' | 'hangup' | 'message'
  voicemailMessage: string
  wantsSummary: boolean
  success: string
  fields: string
}

const jsonText = (value: object | null | undefined) =>
  value && Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : ''
const numberOrEmpty = (value: unknown): OptionalNumber => (typeof value === 'number' ? value : '')

export function draftOf(agent: Agent): Draft {
  const settings = (agent.settings ?? {}) as Settings
  const { model, temperature, maxTokens, ...moreModel } = (agent.llmConfig ?? {}) as Free
  const turn = (settings.turn ?? {}) as Record<string, unknown>
  return {
    name: agent.name,
    description: agent.description ?? '',
    isActive: agent.isActive,
    direction: agent.direction,
    language: agent.language,
    systemPrompt: agent.systemPrompt,
    initialSpeech: agent.initialSpeech ?? '',
    firstMessage: settings.firstMessage ?? 'agent_first',
    variables: settings.variables ?? {},
    ttsProvider: agent.ttsProvider,
    voiceId: agent.voiceId ?? '',
    speed: settings.voice?.speed ?? 1,
    pronunciation: settings.pronunciation ?? [],
    providerA: jsonText(agent.provider_aConfig),
    hints: settings.recognition?.hints ?? [],
    model: typeof model === 'string' ? model : '',
    temperature: numberOrEmpty(temperature),
    maxTokens: numberOrEmpty(maxTokens),
    moreModel: jsonText(moreModel),
    llmProvider: settings.llm?.providerId ?? '',
    sttProvider: settings.recognition?.providerId ?? '',
    voiceProvider: settings.voice?.providerId ?? '',
    sttModel: settings.recognition?.model ?? '',
    llmFallbacks: itemsOf(settings.llm?.fallbacks, 'model'),
    sttFallbacks: itemsOf(settings.recognition?.fallbacks, 'model'),
    voiceFallbacks: itemsOf(settings.voice?.fallbacks, 'voiceId'),
    interruptible: settings.interruptible !== false,
    speculate: settings.turn?.speculate !== false,
    collects: settings.collect?.enabled !== false,
    turn: Object.fromEntries(turnNames.map((name) => [name, numberOrEmpty(turn[name])])) as Draft['turn'],
    endPhrases: settings.endPhrases ?? [],
    isRecorded: settings.recording?.enabled !== false,
    consentNotice: settings.recording?.consentNotice ?? '',
    voicemailAction: settings.voicemail?.action ?? 'ignore',
    voicemailMessage: settings.voicemail?.message ?? '',
    wantsSummary: settings.analysis?.summary !== false,
    success: settings.analysis?.success ?? '',
    fields: jsonText(settings.analysis?.fields),
  }
}

/** Returns only the changes. Settings the form does not show (from a newer version, or vendor-specific) are kept. */
export function patchOf(agent: Agent, draft: Draft): AgentPatch {
  const before = draftOf(agent)
  const differs = (...names: (keyof Draft)[]) =>
    names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(draft[name]))
  const patch: AgentPatch = {}
  if (differs('name')) patch.name = draft.name.trim()
  if (differs('description')) patch.description = draft.description.trim() || null
  if (differs('isActive')) patch.isActive = draft.isActive
  if (differs('direction')) patch.direction = draft.direction
  if (differs('language')) patch.language = draft.language
  if (differs('systemPrompt')) patch.systemPrompt = draft.systemPrompt
  if (differs('initialSpeech')) patch.initialSpeech = draft.initialSpeech.trim() || null
  if (differs('ttsProvider')) patch.ttsProvider = draft.ttsProvider
  if (differs('voiceId')) patch.voiceId = draft.voiceId || null
  if (differs('providerA')) patch.provider_aConfig = readObject(draft.providerA) ?? null
  if (differs('model', 'temperature', 'maxTokens', 'moreModel')) patch.llmConfig = modelOf(draft)
  if (differs(...settingNames)) patch.settings = settingsOf(agent.settings, draft)
  return patch
}

const settingNames = [
  'firstMessage',
  'variables',
  'speed',
  'pronunciation',
  'hints',
  'llmProvider',
  'sttProvider',
  'voiceProvider',
  'sttModel',
  'llmFallbacks',
  'sttFallbacks',
  'voiceFallbacks',
  'interruptible',
  'speculate',
  'collects',
  'turn',
  'endPhrases',
  'isRecorded',
  'consentNotice',
  'voicemailAction',
  'voicemailMessage',
  'wantsSummary',
  'success',
  'fields',
] as const satisfies (keyof Draft)[]

function modelOf({ model, temperature, maxTokens, moreModel }: Draft): AgentPatch['llmConfig'] {
  const config = withoutEmpty({
    ...readObject(moreModel),
    model: model.trim() || undefined,
    temperature: temperature === '' ? undefined : temperature,
    maxTokens: maxTokens === '' ? undefined : maxTokens,
  })
  return (config ?? null) as AgentPatch['llmConfig']
}

/** Omits default values, so that better defaults in later versions reach the agent. */
function settingsOf(old: Free | null, draft: Draft): AgentPatch['settings'] {
  const was = (old ?? {}) as Settings
  const turn = Object.fromEntries(
    turnNames.map((name) => [name, draft.turn[name] === '' ? undefined : draft.turn[name]]),
  )
  const lines = (list: readonly string[]) => (list.length > 0 ? [...list] : undefined)
  const pronunciation = draft.pronunciation.filter(({ from }) => from.trim() !== '')
  const next: Free = {
    ...was,
    firstMessage: draft.firstMessage === 'agent_first' ? undefined : draft.firstMessage,
    interruptible: draft.interruptible ? undefined : false,
    turn: withoutEmpty({ ...was.turn, ...turn, speculate: draft.speculate ? undefined : false }),
    collect: withoutEmpty({ ...was.collect, enabled: draft.collects ? undefined : false }),
    llm: withoutEmpty({
      ...was.llm,
      providerId: draft.llmProvider || undefined,
      fallbacks: fallbacksOf(draft.llmFallbacks, 'model'),
    }),
    recognition: withoutEmpty({
      ...was.recognition,
      providerId: draft.sttProvider || undefined,
      model: draft.sttModel.trim() || undefined,
      fallbacks: fallbacksOf(draft.sttFallbacks, 'model'),
      hints: lines(draft.hints),
    }),
    pronunciation: pronunciation.length > 0 ? pronunciation : undefined,
    voice: withoutEmpty({
      ...was.voice,
      speed: draft.speed === 1 ? undefined : draft.speed,
      providerId: draft.voiceProvider || undefined,
      fallbacks: fallbacksOf(draft.voiceFallbacks, 'voiceId'),
    }),
    recording: withoutEmpty({
      ...was.recording,
      enabled: draft.isRecorded ? undefined : false,
      consentNotice: draft.consentNotice.trim() || undefined,
    }),
    voicemail: withoutEmpty({
      ...was.voicemail,
      action: draft.voicemailAction === 'ignore' ? undefined : draft.voicemailAction,
      message: draft.voicemailMessage.trim() || undefined,
    }),
    analysis: withoutEmpty({
      ...was.analysis,
      summary: draft.wantsSummary ? undefined : false,
      success: draft.success.trim() || undefined,
      fields: readObject(draft.fields),
    }),
    endPhrases: lines(draft.endPhrases),
    variables: withoutEmpty({ ...draft.variables }),
  }
  return (withoutEmpty(next) ?? null) as AgentPatch['settings']
}

/** Drops null and undefined values; undefined when none are left. */
function withoutEmpty(object: Free): Free | undefined {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined && value !== null)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** Parses a JSON object; undefined for an empty text. Throws on anything else. */
function readObject(text: string): Free | undefined {
  if (text.trim() === '') return undefined
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('not an object')
  return value as Free
}

export type Problem = 'empty' | 'json' | 'chain'
export type Problems = Partial<Record<keyof Draft, Problem>>

/** Checks what the server would reject, so the error shows next to the field before saving. */
export function problemsOf(draft: Draft): Problems {
  const problems: Problems = {}
  if (draft.name.trim() === '') problems.name = 'empty'
  if (draft.systemPrompt.trim() === '') problems.systemPrompt = 'empty'
  if (draft.voicemailAction === 'message' && draft.voicemailMessage.trim() === '') problems.voicemailMessage = 'empty'
  for (const name of ['providerA', 'moreModel', 'fields'] as const)
    if (!isObjectText(draft[name])) problems[name] = 'json'
  for (const kind of chainKinds)
    if (itemProblems(chainOf(draft, kind)).some(Boolean)) problems[fallbackField(kind)] = 'chain'
  return problems
}

function isObjectText(text: string): boolean {
  try {
    readObject(text)
    return true
  } catch {
    return false
  }
}
