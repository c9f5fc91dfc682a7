// The voice agent of a call: prepares it, runs its session, stores the transcript and hands over to other agents.

import { collectingLlm } from '../../dictation/collecting-llm.ts'
import type { Announce, AnsweredCall, Converse } from '../../phone/ports.ts'
import { sentences } from '../../speech/text/sentences.ts'
import type { CallControl } from '../../tool-types/ports.ts'
import { prefetchingLlm } from '../../tool-types/prefetching-llm.ts'
import { realClock } from '../../voice/clock.ts'
import { synthesizedText } from '../../voice/playout/synthesize.ts'
import type { ActOutcome, Audio, CallAction, Clock, Say, SentenceVoice, Transport } from '../../voice/ports.ts'
import { runSession, type SessionControl, type SessionEnd } from '../../voice/session.ts'
import { leaseTransport } from '../../voice/transport-lease.ts'
import type { ConversationStore } from '../conversations/store.ts'
import { type AgentSetupParts, agentSetup, type PreparedAgent } from './agent-setup.ts'
import { type CallChainsParts, type CallProviders, callProviders } from './call-chains.ts'
import { lateNote } from './call-guidance.ts'
import { callUpdates } from './call-updates.ts'
import { type CampaignConversation, campaignConversation } from './campaign-conversation.ts'
import { withCampaignFunctions } from './campaign-functions.ts'
import type { FindCampaignCall } from './campaign-port.ts'
import { collectFor, withCollect } from './collect-function.ts'
import { asSuccessor, endingOnHandoff, HANDED_OVER, MAX_HANDOFFS, withOperatorNote, withTranscript } from './handoff.ts'
import type { Variables } from './session-options.ts'
import { type TranscriptWriterParts, transcriptWriter } from './transcript-writer.ts'
import { turnMetrics, wallTime } from './turn-metrics.ts'

export type VoiceAgentParts = AgentSetupParts &
  CallChainsParts &
  Omit<TranscriptWriterParts, 'conversations'> & {
    conversations: ConversationStore
    /** Variables passed with the call, for {{name}} in prompt and phrases. */
    variablesOf: (userId: string, callId: string) => Promise<Record<string, string>>
    /** Finds the campaign of an outbound call; absent if there are no campaigns. */
    campaignOf?: FindCampaignCall
    /** Called when an agent's session of a call has started. */
    onReady?: (callId: string, control: AgentSessionControl) => void
    clock?: Clock
  }

/** What an operator can do with a call through its agent. */
export type AgentSessionControl = SessionControl & {
  /** Synthesizes text in the agent's voice. */
  speech(text: string): Audio
  /** Hands the call over at once to another agent of the same owner; only that agent sees the note. */
  handOver(agentId: string, note: string | null): Promise<ActOutcome>
}

export function voiceAgent(parts: VoiceAgentParts): { announce: Announce; converse: Converse } {
  const setup = agentSetup(parts)
  return {
    async announce(call, text, transport, signal) {
      const { tts } = await callProviders(parts, call).chainsFor(await setup.agentOf(call))
      await transport.play(spokenBy(parts, call.callId, tts)(text, signal), signal)
    },

    async converse(call, transport, signal) {
      const callVariables = await parts.variablesOf(call.userId, call.callId)
      const providers = callProviders(parts, call)
      const campaign = await campaignFor(parts, call)
      if (campaign) providers.withRules = campaign.links
      const prepared = await setup.prepare(call, { agentId: call.agent.id, callVariables, providers }, signal)
      if (!('agent' in prepared)) return prepared
      const first = campaign?.prepared(prepared, true) ?? prepared
      const given = { parts, setup, call, transport, callVariables, providers, campaign, signal }
      const conversation = agentConversation(given)
      try {
        for (let current = first, handoffs = 0; ; handoffs++) {
          const { end, next, variables } = await conversation.run(current, handoffs)
          const { endReason, ...rest } = end
          if (endReason !== HANDED_OVER) return { endReason, ...rest }
          if (!next || signal.aborted) return { endReason: 'caller_hangup' }
          const before = { agentName: current.agent.name, transcript: conversation.transcript.text(), variables }
          conversation.transcript.note(`The call was handed over to ${next.agent.name}.`)
          current = withTranscript(next, before)
        }
      } finally {
        void providers.end()
        conversation.saveTurns() // before the end of the call is written
      }
    },
  }
}

/** If the campaign cannot be read, the call does not start: the person would have no way to opt out. */
async function campaignFor(
  { campaignOf, write, log }: VoiceAgentParts,
  { userId, callId, conversationId, direction }: AnsweredCall,
): Promise<CampaignConversation | null> {
  const campaign = direction === 'outbound' ? await campaignOf?.(userId, callId) : null
  return campaign ? campaignConversation({ campaign, callId, conversationId, write, log }) : null
}

type ConversationParts = {
  parts: VoiceAgentParts
  setup: ReturnType<typeof agentSetup>
  call: AnsweredCall
  transport: Transport
  callVariables: Variables
  providers: CallProviders
  campaign: CampaignConversation | null
  signal: AbortSignal
}

type AgentPart = { end: SessionEnd; next: PreparedAgent | null; variables: Variables }

/** Transcript and metrics of one call, across all agents that take part. */
function agentConversation(given: ConversationParts) {
  const { parts, setup, call, transport, callVariables, providers, campaign, signal } = given
  const { onReady, log, clock = realClock } = parts
  const { callId } = call
  const lease = leaseTransport(transport)
  const wall = wallTime(clock)
  const transcript = transcriptWriter(parts, call, wall)
  const metrics = turnMetrics(wall)
  const late = lateNote(call.guidance?.late)
  providers.onServed = metrics.served
  const updates = call.onUpdate && callUpdates(call.onUpdate, wall, metrics.turns)

  /** Logs the reason for a failed transfer; the model does not see it. */
  function logged(outcome: ActOutcome): ActOutcome {
    const { status, detail } = outcome
    if (status !== 'connected' && status !== 'done') log.info({ callId, status, detail }, 'transfer failed')
    return outcome
  }
  async function act(action: CallAction): Promise<ActOutcome> {
    const outcome = await transport.act(action)
    return action.do === 'transfer' ? logged(outcome) : outcome
  }

  /** Prepares the next agent while this one still speaks, so that a failed takeover changes nothing. */
  async function successorOf(
    current: PreparedAgent,
    agentId: string,
    handoffs: number,
  ): Promise<PreparedAgent | string> {
    if (handoffs >= MAX_HANDOFFS) return 'This call has been handed over too often.'
    if (agentId === current.agent.id) return 'This agent already has the call.'
    const next = await setup.prepare(call, { agentId, callVariables, providers }, signal).catch((err) => {
      log.error({ err, callId, agentId }, 'failed to prepare agent for handover')
      return null
    })
    if (!next || !('agent' in next) || !next.agent.isActive) return 'That agent cannot take the call.'
    return campaign?.prepared(next, false) ?? next
  }

  /** Runs one agent's session; `next` in the result is the agent that takes over afterwards. */
  async function run(current: PreparedAgent, handoffs: number): Promise<AgentPart> {
    const { session, options, betweenTurns } = current
    const handoff: { next: PreparedAgent | null } = { next: null }
    const { direction, fromNumber, toNumber } = call
    const live: CallControl = {
      id: callId,
      direction,
      fromNumber,
      toNumber,
      act,
      speech: (text) => spokenBy(parts, callId, session)(text, signal),
      async handOver(agentId, message) {
        const next = await successorOf(current, agentId, handoffs)
        if (typeof next === 'string') return logged({ status: 'failed', detail: next })
        handoff.next = asSuccessor(next, message)
        return { status: 'connected', detail: `${next.agent.name} takes over.` }
      },
    }
    const toolbox = await setup.toolboxFor(call, current, { live, epoch: handoffs })
    late.onVariables((variables) => toolbox.addVariables?.(variables))
    const collect = collectFor(current)
    const functions = campaign?.functions(current.agent.language, session.llm.isModel) ?? []
    const tools = () => {
      const all = withCampaignFunctions(withCollect(toolbox.tools, collect), functions)
      const offered = updates ? all.map(updates.tool) : all
      return offered.map((tool) => endingOnHandoff(tool, () => handoff.next !== null))
    }
    const sessionTools = tools()
    for (const arrival of toolbox.arrivals)
      void arrival.then(() => sessionTools.splice(0, sessionTools.length, ...tools()))
    const model = prefetchingLlm(session.llm, toolbox.context)
    const leased = lease()
    const end = await runSession(
      {
        ...session,
        llm: collectingLlm(late.llm(campaign?.llm(model) ?? model)),
        transport: leased.transport,
        sentences,
        tools: sessionTools,
        clock,
        onReady: (control) => onReady?.(callId, operatorControl(control, live, handoff)),
        ...(updates ? { onSpeaking: updates.onSpeaking } : {}),
        onEvent(event) {
          if (event.type === 'state' && event.state === 'listening') betweenTurns()
          transcript.onEvent(event)
          metrics.add(event)
          campaign?.onEvent(event)
          updates?.onEvent(event)
          const isUnknown = event.type === 'tool' && !sessionTools.some(({ name }) => name === event.call.name)
          if (isUnknown) toolbox.unknown(event.call)
          if (event.type === 'tool-refused') toolbox.refused(event.call, event.why)
        },
      },
      options,
      signal,
    )
    leased.release()
    return { end, next: handoff.next, variables: toolbox.variables() }
  }

  return { run, transcript, saveTurns: () => transcript.saveTurns(metrics.turns) }
}

/** Speech outside the agent's turns continues if the voice that began it fails midway. */
const spokenBy =
  ({ clock = realClock, log }: VoiceAgentParts, callId: string, { say, sentenceTries }: SentenceVoice): Say =>
  (text, signal) => {
    const onError = (err: unknown) => log.warn({ err, callId, stage: 'synthesis' }, 'conversation stage failed')
    return synthesizedText(text, { say, sentenceTries, clock, onError }, signal)
  }

const operatorControl = (
  control: SessionControl,
  live: CallControl,
  handoff: { next: PreparedAgent | null },
): AgentSessionControl => ({
  ...control,
  speech: live.speech,
  async handOver(agentId, note) {
    const outcome = await live.handOver(agentId, null)
    if (outcome.status !== 'connected') return outcome
    if (handoff.next && note) handoff.next = withOperatorNote(handoff.next, note)
    control.end(HANDED_OVER)
    return outcome
  },
})
