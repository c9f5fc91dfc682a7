// Prepares a requested rehearsal: the agent as in a real call, with tools that are not executed, and the engines; then
// runs it.
import type { EndReason } from '../../base/domain/end-reasons.ts'
import { appError } from '../../base/errors/errors.ts'
import { collectingLlm } from '../../dictation/collecting-llm.ts'
import type { FindLlms } from '../../llm/open.ts'
import { compareTurns } from '../../simulation/compare.ts'
import { type RealSpeech, runRehearsal } from '../../simulation/run.ts'
import type { OfferedTool } from '../../simulation/scripted-tools.ts'
import type { SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import { sentences } from '../../speech/text/sentences.ts'
import { checkArguments } from '../../tool-types/arguments.ts'
import type { ToolRecord } from '../../tool-types/ports.ts'
import type { ToolTypes } from '../../tool-types/tool-types.ts'
import { forModel, namedFunctions } from '../../tool-types/toolbox.ts'
import { chooseVoice } from '../../voice/playout/agent-voice.ts'
import type { SessionParts } from '../agents/port.ts'
import type { Agent } from '../agents/schema.ts'
import type { FindLinks } from '../providers/port.ts'
import type { ToolStore } from '../tools/store.ts'
import { type Replayed, type StepParts, stepsFor } from './caller-steps.ts'
import { rehearsedChains } from './rehearsed-chains.ts'
import { type RunOutcome, storedOutcome } from './run-progress.ts'
import type { NewRehearsal, RehearsalOutcome } from './schema.ts'
import { type Ended, STOPPED } from './store.ts'

export type RunParts = Omit<StepParts, 'slotsOf'> & {
  session: SessionParts
  tools: Pick<ToolStore, 'runnableOf'>
  types: ToolTypes
  speech: Pick<SpeechService, 'slots' | 'stt' | 'vad' | 'turnModel'>
  /** The user's metered voices; absent if not metered. */
  slotsFor?: SlotsFor
  llmsOf: FindLlms
  /** The agent's chains; absent if outages should change nothing. */
  linksFor?: FindLinks
}

/** Runs it; `watch` is called once, with a function that returns what has happened so far. */
export type PreparedRun = (watch: (soFar: () => RehearsalOutcome) => void, signal: AbortSignal) => Promise<Ended>

/** Throws if this cannot be rehearsed. */
export async function preparedRun(
  parts: RunParts,
  userId: string,
  asked: NewRehearsal,
  agent: Agent,
  replay: Replayed | null,
): Promise<PreparedRun> {
  const { collectFor, sessionOptions, speakerFor, turnMetrics, withCollect } = parts.session
  const slotsOf = () => parts.slotsFor?.(userId) ?? parts.speech.slots
  const real = asked.mode === 'audio' ? await recognition(parts.speech) : null
  const makeSteps = await stepsFor({ ...parts, slotsOf }, userId, asked, agent, replay, real)
  const isSpoken = real !== null && asked.agentVoice === 'real'
  const voice = isSpoken ? await chooseVoice(speakerFor(agent, slotsOf()), AbortSignal.timeout(10_000)) : null
  const offered = offeredTools(await parts.tools.runnableOf(userId, agent.id), parts.types, agent.language)
  const given = { ...replay?.variables, ...asked.variables }
  const direction = asked.direction ?? replay?.direction ?? 'inbound'
  const { options, variables } = sessionOptions(agent, given, { direction, fromNumber: null, toNumber: '' })
  const llm = (await parts.llmsOf(userId, agent)).llmFor(agent.llmConfig)
  const links = rehearsesOutage(asked) ? await parts.linksFor?.(userId, agent) : undefined
  const ownNumber = given.caller ?? null
  const chains = links && rehearsedChains({ links, isHeard: real !== null, isSpoken, ownNumber })

  return async (watch, signal) => {
    const about = { name: llm.name, isModel: llm.isModel }
    const session = {
      llm: collectingLlm(llm),
      sentences,
      tools: withCollect(offered, collectFor({ agent, session: { llm }, variables })),
      options,
      metrics: turnMetrics(),
      speech: real ? { ...real, ...(voice ? { say: voice.say } : {}) } : undefined,
      ...(chains ? { chains: collecting(chains) } : {}),
      watch: (soFar: () => RunOutcome) => watch(() => storedOutcome(asked, soFar(), about)),
    }
    const outcome = await runRehearsal({ ...asked, steps: await makeSteps() }, session, signal)
    const error = signal.aborted ? STOPPED : null
    const comparison = replay ? compareTurns(replay.turns, outcome.turns) : null
    const kept = { ...storedOutcome(asked, outcome, about), error, comparison }
    const status = signal.aborted ? 'error' : kept.checks.every(({ passed }) => passed) ? 'passed' : 'failed'
    return { status, durationMs: outcome.durationMs, outcome: kept }
  }
}

async function recognition(speech: RunParts['speech']): Promise<Omit<RealSpeech, 'say'>> {
  const vad = await speech.vad().catch((cause) => {
    throw appError('rehearsal_no_stt', {}, { cause })
  })
  const turnModel = await speech.turnModel()
  return { vad, stt: speech.stt, ...(turnModel ? { turnModel } : {}) }
}

const rehearsesOutage = ({ steps, expect }: NewRehearsal): boolean =>
  (steps ?? []).some(({ outage }) => outage) || (expect ?? []).some(({ degraded }) => degraded)

const collecting =
  (chains: ReturnType<typeof rehearsedChains>): typeof chains =>
  (scene) => {
    const made = chains(scene)
    return { ...made, llm: collectingLlm(made.llm) }
  }

/** The agent's tools as in a call: same names, descriptions and checks, but they are not executed. */
function offeredTools(records: readonly ToolRecord[], types: ToolTypes, language: string): OfferedTool[] {
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
