// Rehearsals: runs an agent against a script or the replay of a call in virtual time, checks the outcome and stores it.
import { joinPcm } from '../../audio/pcm.ts'
import { resampleInSteps } from '../../audio/resample-in-steps.ts'
import { readWav, type Wav } from '../../audio/wav.ts'
import { waitAtMost } from '../../base/concurrency/abort.ts'
import type { EndReason } from '../../base/domain/end-reasons.ts'
import { AppError, appError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { collectingLlm } from '../../dictation/collecting-llm.ts'
import type { FindLlms } from '../../llm/open.ts'
import { compareTurns } from '../../simulation/compare.ts'
import { channelsOf, stepsOfRecording, stepsOfTurns } from '../../simulation/replay.ts'
import { type RealSpeech, runRehearsal } from '../../simulation/run.ts'
import type { ScriptStep } from '../../simulation/script.ts'
import type { OfferedTool } from '../../simulation/scripted-tools.ts'
import type { SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import { sentences } from '../../speech/text/sentences.ts'
import { type RecordingSource, readWhole } from '../../storage/recording-source.ts'
import { checkArguments } from '../../tool-types/arguments.ts'
import type { ToolTypes } from '../../tool-types/tool-types.ts'
import { forModel, namedFunctions } from '../../tool-types/toolbox.ts'
import { chooseVoice } from '../../voice/playout/agent-voice.ts'
import { collectFor, sessionOptions, speakerFor, turnMetrics, withCollect } from '../agents/port.ts'
import type { Agent } from '../agents/schema.ts'
import type { AgentStore } from '../agents/store.ts'
import type { Turn } from '../calls/schema.ts'
import type { CallStore } from '../calls/store.ts'
import type { FindLinks } from '../providers/port.ts'
import type { StoredRecording } from '../recordings/recording-store.ts'
import type { RunnableTool, ToolStore } from '../tools/store.ts'
import { rehearsedChains } from './rehearsed-chains.ts'
import { type RunOutcome, reportProgress, storedOutcome } from './run-progress.ts'
import type { NewRehearsal, Rehearsal, Script } from './schema.ts'
import { type Ended, emptyOutcome, LIMIT_MS, type RehearsalStore, STOPPED } from './store.ts'

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
  openRecording: (recording: StoredRecording) => Promise<RecordingSource>
  rehearsals: RehearsalStore
  speech: Pick<SpeechService, 'slots' | 'stt' | 'vad' | 'turnModel'>
  /** Metered voices of a user; absent: not metered. */
  slotsFor?: SlotsFor
  llmsOf: FindLlms
  /** The agent's chains; absent: outages change nothing. */
  linksFor?: FindLinks
  log: Log
  waitMs?: number
}

type Steps = NonNullable<NewRehearsal['steps']>
type Started = { id: string; done: Promise<void> }
type Replayed = { turns: Turn[]; variables: Record<string, string>; direction: 'inbound' | 'outbound' }

export function simulationService(parts: RehearsalsParts) {
  const { agents, tools, types, calls, rehearsals, speech, llmsOf, log, waitMs = WAIT_MS } = parts
  const slotsFor: SlotsFor = parts.slotsFor ?? (() => speech.slots)
  const running = new Map<string, { userId: string; stop: AbortController; done: Promise<void> }>()
  /** Slots in use per user, including rehearsals that have no row yet. */
  const busy = new Map<string, number>()
  let isClosed = false

  function acquireSlot(userId: string): () => void {
    if (isClosed) throw appError('service_stopping')
    const mine = busy.get(userId) ?? 0
    const all = [...busy.values()].reduce((sum, each) => sum + each, 0)
    if (mine >= MAX_OF_USER || all >= MAX_AT_ONCE)
      throw appError(
        'rehearsals_running',
        {},
        {
          headers: { 'retry-after': '5' },
        },
      )
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
    if (!turns.some(({ caller }) => caller)) throw appError('rehearsal_no_turns')
    return { agentId, direction, turns, variables: (variables ?? {}) as Record<string, string> }
  }

  async function recognition(): Promise<Omit<RealSpeech, 'say'>> {
    const vad = await speech.vad().catch((cause) => {
      throw appError(
        'rehearsal_no_stt',
        {},
        {
          cause,
        },
      )
    })
    const turnModel = await speech.turnModel()
    return { vad, stt: speech.stt, ...(turnModel ? { turnModel } : {}) }
  }

  /** The caller's speech is synthesized before the call begins, so that it takes no call time. */
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
    const recording = await calls.recordingOf(userId, callId)
    await (await parts.openRecording(recording)).close()
    return async () => {
      const source = await parts.openRecording(recording)
      try {
        if (source.bytes > MAX_RECORDING) throw appError('rehearsal_recording_long')
        return stepsOfRecording(await channelsOf(await readWhole(source)), vad)
      } finally {
        await source.close()
      }
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
    // A rehearsal that was made from a call has steps of its own.
    const isReplay = replay !== null && !asked.steps
    if (real) return isReplay ? recordedSteps(userId, asked.replayOf ?? '', real) : spokenSteps(userId, steps, agent)
    return async () => (isReplay ? stepsOfTurns(replay.turns) : steps.map(({ audio, ...step }): ScriptStep => step))
  }

  /** Resolves once it runs; `done` when its result is stored. */
  async function start(userId: string, asked: NewRehearsal, scriptId: string | null): Promise<Started> {
    const replay = asked.replayOf ? await loadReplay(userId, asked.replayOf) : null
    const agentId = asked.agentId ?? replay?.agentId
    if (!agentId) throw appError('rehearsal_call_no_agent')
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
      const { options, variables } = sessionOptions(agent, given, { direction, fromNumber: null, toNumber: '' })
      const llm = (await llmsOf(userId, agent)).llmFor(agent.llmConfig)
      const links = rehearsesOutage(asked) ? await parts.linksFor?.(userId, agent) : undefined
      const chains =
        links && rehearsedChains({ links, isHeard: real !== null, isSpoken: isHeard, ownNumber: given.caller ?? null })
      const name = asked.name ?? (asked.replayOf ? `replay of ${asked.replayOf}` : 'rehearsal')
      const replayOf = asked.replayOf ?? null
      const stored = await rehearsals.create(userId, {
        agentId,
        name,
        mode,
        replayOf,
        scriptId,
        script: scriptIn(asked),
      })

      const stop = new AbortController()
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LIMIT_MS)])
      let endProgress = async () => {}
      const rehearsed = async (): Promise<Ended> => {
        const script = { ...asked, steps: await makeSteps() }
        const heard = real ? { ...real, ...(voice ? { say: voice.say } : {}) } : undefined
        const tools = withCollect(offered, collectFor({ agent, session: { llm }, variables }))
        const session = {
          llm: collectingLlm(llm),
          sentences,
          tools,
          options,
          metrics: turnMetrics(),
          speech: heard,
          ...(chains ? { chains: collecting(chains) } : {}),
        }
        const about = { name: llm.name, isModel: llm.isModel }
        const watch = (soFar: () => RunOutcome) => {
          const parts = { rehearsals, id: stored.id, onGone: () => stop.abort(), log }
          endProgress = reportProgress({ ...parts, soFar: () => storedOutcome(asked, soFar(), about) })
        }
        const outcome = await runRehearsal(script, { ...session, watch }, signal)
        const error = signal.aborted ? STOPPED : null
        const comparison = replay ? compareTurns(replay.turns, outcome.turns) : null
        const kept = { ...storedOutcome(asked, outcome, about), error, comparison }
        const status = signal.aborted ? 'error' : kept.checks.every(({ passed }) => passed) ? 'passed' : 'failed'
        return { status, durationMs: outcome.durationMs, outcome: kept }
      }
      const done = rehearsed()
        .catch((err): Ended => {
          log.warn({ err, rehearsalId: stored.id }, 'rehearsal failed')
          const why = err instanceof AppError ? err.message : 'The conversation failed on the server; see its log'
          const outcome = { ...emptyOutcome, error: why }
          return { status: 'error', durationMs: null, outcome }
        })
        .then(async (ended) => {
          await endProgress()
          await rehearsals.finish(stored.id, ended)
        })
        .catch((err) => log.warn({ err, rehearsalId: stored.id }, 'failed to store rehearsal'))
        .finally(() => {
          running.delete(stored.id)
          releaseSlot()
        })
      running.set(stored.id, { userId, stop, done })
      isStarted = true
      return { id: stored.id, done }
    } finally {
      if (!isStarted) releaseSlot()
    }
  }

  async function run(userId: string, asked: NewRehearsal): Promise<Rehearsal> {
    const { id, done } = await start(userId, asked, null)
    await waitAtMost(waitMs, done)
    return rehearsals.get(userId, id)
  }

  return {
    run,
    /** Runs a saved rehearsal without waiting for its end. */
    async begin(userId: string, asked: NewRehearsal, scriptId: string): Promise<Rehearsal> {
      const { id } = await start(userId, asked, scriptId)
      return rehearsals.get(userId, id)
    },
    stop: (id: string) => running.get(id)?.stop.abort(),
    /** Also those of other processes, which notice it when they store their progress. */
    async stopAllOf(userId: string): Promise<void> {
      for (const id of await rehearsals.runningOf(userId)) {
        await rehearsals.stop(userId, id)
        running.get(id)?.stop.abort()
      }
    },
    /** Aborts running rehearsals and waits for them. */
    async close(): Promise<void> {
      isClosed = true
      const all = [...running.values()]
      for (const { stop } of all) stop.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

const rehearsesOutage = ({ steps, expect }: NewRehearsal): boolean =>
  (steps ?? []).some(({ outage }) => outage) || (expect ?? []).some(({ degraded }) => degraded)

const collecting =
  (chains: ReturnType<typeof rehearsedChains>): typeof chains =>
  (scene) => {
    const made = chains(scene)
    return { ...made, llm: collectingLlm(made.llm) }
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
export const endings: Readonly<Record<string, EndReason>> = { end_call: 'agent_ended', transfer_call: 'transferred' }

/** What is stored of a run's script: audio is too large. */
function scriptIn({ agentId, name, replayOf, ...script }: NewRehearsal): Script {
  return script.steps ? { ...script, steps: script.steps.map(({ audio, ...step }) => step) } : script
}

function decodeWav(base64: string): Wav {
  try {
    return readWav(Buffer.from(base64, 'base64'))
  } catch (cause) {
    const why = cause instanceof RangeError ? `: ${cause.message} (4000 to 192000, a multiple of 25)` : ''
    throw appError('rehearsal_audio_invalid', { reason: why }, { cause })
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
