// Rehearsals: runs an agent against a script or the replay of a call in virtual time, checks the outcome and stores it.
import { readFile, stat } from 'node:fs/promises'
import type { Agent } from '../../api/agents/schema.ts'
import type { AgentStore } from '../../api/agents/store.ts'
import type { StoredRecording } from '../../api/calls/recordings.ts'
import type { Turn } from '../../api/calls/schema.ts'
import type { CallStore } from '../../api/calls/store.ts'
import type { NewRehearsal, Rehearsal } from '../../api/rehearsals/schema.ts'
import { type Ended, emptyOutcome, LIMIT_MS, type RehearsalStore } from '../../api/rehearsals/store.ts'
import type { RunnableTool, ToolStore } from '../../api/tools/store.ts'
import { joinPcm } from '../../audio/pcm.ts'
import { resampleInSteps } from '../../audio/resample-in-steps.ts'
import { readWav, type Wav } from '../../audio/wav.ts'
import { waitAtMost } from '../../base/abort.ts'
import type { EndReason } from '../../base/end-reasons.ts'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { LlmService } from '../../llm/open.ts'
import { checkAll } from '../../simulation/checks.ts'
import { compareTurns } from '../../simulation/compare.ts'
import { channelsOf, stepsOfRecording, stepsOfTurns } from '../../simulation/replay.ts'
import { type RealSpeech, runRehearsal } from '../../simulation/run.ts'
import type { ScriptStep } from '../../simulation/script.ts'
import type { OfferedTool } from '../../simulation/scripted-tools.ts'
import type { SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import { sentences } from '../../speech/text/sentences.ts'
import { checkArguments } from '../../tools/arguments.ts'
import type { ToolTypes } from '../../tools/tool-types.ts'
import { forModel, namedFunctions } from '../../tools/toolbox.ts'
import { chooseVoice } from '../../voice/agent-voice.ts'
import { sessionOptions, speakerFor, turnMetrics } from '../agents/port.ts'

/** Rehearsals that run at once. */
const MAX_OF_USER = 2
const MAX_AT_ONCE = 4
/** The request returns by then; a longer rehearsal is polled. */
const WAIT_MS = 50_000
const RATE_HZ = 8000
/** Fifteen minutes of two channels at 16 kHz. */
const MAX_RECORDING = 60_000_000

export type RehearsalsParts = {
  agents: Pick<AgentStore, 'get'>
  tools: Pick<ToolStore, 'runnableOf'>
  types: ToolTypes
  calls: Pick<CallStore, 'get' | 'recordingOf'>
  turnsOf: (userId: string, callId: string) => Promise<Turn[]>
  locateRecording: (recording: StoredRecording) => Promise<string>
  rehearsals: RehearsalStore
  speech: Pick<SpeechService, 'slots' | 'stt' | 'vad' | 'turnModel'>
  /** Metered voices of a user; absent: not metered. */
  slotsFor?: SlotsFor
  llmFor: LlmService['llmFor']
  log: Log
  waitMs?: number
}

type Steps = NonNullable<NewRehearsal['steps']>
type Replayed = { turns: Turn[]; variables: Record<string, string>; direction: 'inbound' | 'outbound' }

export function simulationService(parts: RehearsalsParts) {
  const { agents, tools, types, calls, rehearsals, speech, llmFor, log, waitMs = WAIT_MS } = parts
  const slotsFor: SlotsFor = parts.slotsFor ?? (() => speech.slots)
  const running = new Map<string, { userId: string; stop: AbortController; done: Promise<void> }>()
  /** Slots in use per user, including rehearsals that have no row yet. */
  const busy = new Map<string, number>()
  let isClosed = false

  function acquireSlot(userId: string): () => void {
    if (isClosed) throw new AppError('unavailable', 'The service is shutting down')
    const mine = busy.get(userId) ?? 0
    const all = [...busy.values()].reduce((sum, each) => sum + each, 0)
    if (mine >= MAX_OF_USER || all >= MAX_AT_ONCE)
      throw new AppError('too_many_requests', 'Too many rehearsals are running; wait until one has ended', {
        headers: { 'retry-after': '5' },
      })
    busy.set(userId, mine + 1)
    return () => {
      const left = (busy.get(userId) ?? 1) - 1
      if (left === 0) busy.delete(userId)
      else busy.set(userId, left)
    }
  }

  async function loadReplay(userId: string, callId: string): Promise<Replayed & { agentId: string | null }> {
    const { agentId, direction, variables } = await calls.get(userId, callId)
    const turns = await parts.turnsOf(userId, callId)
    if (!turns.some(({ caller }) => caller))
      throw new AppError('conflict', 'The transcript of this call has no caller turns: it cannot be replayed')
    return { agentId, direction, turns, variables: (variables ?? {}) as Record<string, string> }
  }

  async function recognition(): Promise<Omit<RealSpeech, 'say'>> {
    const vad = await speech.vad().catch((cause) => {
      throw new AppError('unavailable', 'Speech recognition is unavailable: its optional packages are not installed', {
        cause,
      })
    })
    const turnModel = await speech.turnModel()
    return { vad, stt: speech.stt, ...(turnModel ? { turnModel } : {}) }
  }

  /** The caller's speech is synthesised before the call begins, so that it takes no call time. */
  async function spokenSteps(userId: string, steps: Steps, agent: Agent): Promise<() => Promise<ScriptStep[]>> {
    const slots = slotsFor(userId)
    const tts = Object.values(slots).find(({ name }) => name === 'embedded') ?? slots[agent.ttsProvider]
    const limit = AbortSignal.timeout(LIMIT_MS)
    const { say } = await chooseVoice({ tts, voiceId: null, language: agent.language }, limit)
    const given = steps.map(({ audio, ...step }) => ({ step, wav: audio ? decodeWav(audio) : null }))
    return async () => {
      const spoken: ScriptStep[] = []
      for (const { step, wav } of given) {
        if (wav) spoken.push({ ...step, pcm: await resampleInSteps(wav.pcm, wav.rateHz, RATE_HZ) })
        else spoken.push(step.says ? { ...step, pcm: await pcmOf(say(step.says, limit)) } : step)
      }
      return spoken
    }
  }

  async function recordedSteps(
    userId: string,
    callId: string,
    { vad }: RealSpeech,
  ): Promise<() => Promise<ScriptStep[]>> {
    const path = await parts.locateRecording(await calls.recordingOf(userId, callId))
    return async () => {
      const { size } = await stat(path)
      if (size > MAX_RECORDING) throw new AppError('conflict', 'The recording of this call is too long to replay')
      return stepsOfRecording(await channelsOf(await readFile(path)), vad)
    }
  }

  /** Validates at once; slow work happens in the returned function. */
  async function stepsFor(
    userId: string,
    asked: NewRehearsal,
    agent: Agent,
    replay: Replayed | null,
    real: RealSpeech | null,
  ): Promise<() => Promise<ScriptStep[]>> {
    const steps: Steps = asked.steps ?? []
    if (real) return asked.replayOf ? recordedSteps(userId, asked.replayOf, real) : spokenSteps(userId, steps, agent)
    return async () => (replay ? stepsOfTurns(replay.turns) : steps.map(({ audio, ...step }): ScriptStep => step))
  }

  async function run(userId: string, asked: NewRehearsal): Promise<Rehearsal> {
    const replay = asked.replayOf ? await loadReplay(userId, asked.replayOf) : null
    const agentId = asked.agentId ?? replay?.agentId
    if (!agentId) throw new AppError('conflict', 'This call had no agent: set agentId')
    const agent = withChanges(await agents.get(userId, agentId), asked.agent)
    const releaseSlot = acquireSlot(userId)
    let isStarted = false
    try {
      const mode = asked.mode ?? 'text'
      const real = mode === 'audio' ? await recognition() : null
      const makeSteps = await stepsFor(userId, asked, agent, replay, real)
      const isHeard = real !== null && asked.agentVoice === 'real'
      const voice = isHeard ? await chooseVoice(speakerFor(agent, slotsFor(userId)), AbortSignal.timeout(10_000)) : null
      const offered = offeredTools(await tools.runnableOf(userId, agentId), types, agent.language)
      const given = { ...replay?.variables, ...asked.variables }
      const direction = asked.direction ?? replay?.direction ?? 'inbound'
      const { options } = sessionOptions(agent, given, { direction, fromNumber: null, toNumber: '' })
      const llm = llmFor(agent.llmConfig)
      const name = asked.name ?? (asked.replayOf ? `replay of ${asked.replayOf}` : 'rehearsal')
      const stored = await rehearsals.create(userId, { agentId, name, mode, replayOf: asked.replayOf ?? null })

      const stop = new AbortController()
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LIMIT_MS)])
      const rehearsed = async (): Promise<Ended> => {
        const script = { ...asked, steps: await makeSteps() }
        const heard = real ? { ...real, ...(voice ? { say: voice.say } : {}) } : undefined
        const session = { llm, sentences, tools: offered, options, metrics: turnMetrics(), speech: heard }
        const outcome = await runRehearsal(script, session, signal)
        const checks = checkAll(asked.expect ?? [], outcome)
        const { turnsAtMs, durationMs, turns, ...rest } = outcome
        const kept = {
          ...rest,
          turns: turns.map(({ at, ...turn }, i) => ({ ...turn, atMs: Math.round(turnsAtMs[i] ?? 0) })),
          llm: { name: llm.name, isModel: llm.isModel },
          checks,
          error: signal.aborted ? 'The rehearsal was stopped' : null,
          comparison: replay ? compareTurns(replay.turns, turns) : null,
        }
        const status = signal.aborted ? 'error' : checks.every(({ passed }) => passed) ? 'passed' : 'failed'
        return { status, durationMs, outcome: kept }
      }
      const done = rehearsed()
        .catch((err): Ended => {
          log.warn({ err, rehearsalId: stored.id }, 'rehearsal failed')
          const why = err instanceof AppError ? err.message : 'The conversation failed on the server; see its log'
          const outcome = { ...emptyOutcome, error: why }
          return { status: 'error', durationMs: null, outcome }
        })
        .then((ended) => rehearsals.finish(stored.id, ended))
        .catch((err) => log.warn({ err, rehearsalId: stored.id }, 'failed to store rehearsal'))
        .finally(() => {
          running.delete(stored.id)
          releaseSlot()
        })
      running.set(stored.id, { userId, stop, done })
      isStarted = true
      await waitAtMost(waitMs, done)
      return await rehearsals.get(userId, stored.id)
    } finally {
      if (!isStarted) releaseSlot()
    }
  }

  return {
    run,
    stop: (id: string) => running.get(id)?.stop.abort(),
    /** Aborts running rehearsals and waits for them. */
    async close(): Promise<void> {
      isClosed = true
      const all = [...running.values()]
      for (const { stop } of all) stop.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

/** Changes replace stored fields; `settings` is merged field by field. */
function withChanges(agent: Agent, changes: NewRehearsal['agent']): Agent {
  if (!changes) return agent
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return {
    ...agent,
    ...given,
    ...(changes.settings ? { settings: { ...agent.settings, ...changes.settings } } : {}),
  }
}

/** The agent's tools as in a call: same names, descriptions and checks, but they are not executed. */
function offeredTools(records: readonly RunnableTool[], types: ToolTypes, language: string): OfferedTool[] {
  return namedFunctions(records, types).map(({ tool, fn, name }) => ({
    ...forModel({ tool, fn, name }, language, () => 0),
    refusal(args) {
      const checked = checkArguments(fn.parameters, args)
      return checked.ok ? null : checked.error
    },
    ...(endings[tool.type] ? { endsCall: endings[tool.type] } : {}),
  }))
}

/** Tool types that end the call. */
const endings: Readonly<Record<string, EndReason>> = { end_call: 'agent_ended', transfer_call: 'transferred' }

function decodeWav(base64: string): Wav {
  try {
    return readWav(Buffer.from(base64, 'base64'))
  } catch (cause) {
    const why = cause instanceof RangeError ? `: ${cause.message} (4000 to 192000, a multiple of 25)` : ''
    throw new AppError('invalid', `steps[].audio must be a base64-encoded WAV file${why}`, { cause })
  }
}

async function pcmOf(frames: AsyncIterable<{ pcm: Int16Array; rateHz: number }>): Promise<Int16Array> {
  const whole: Int16Array[] = []
  let rateHz = RATE_HZ
  for await (const frame of frames) {
    whole.push(frame.pcm)
    rateHz = frame.rateHz
  }
  return resampleInSteps(joinPcm(whole), rateHz, RATE_HZ)
}
