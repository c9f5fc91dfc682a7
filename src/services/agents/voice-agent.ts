// The voice agent of a call: prepares it, runs its session, stores the transcript and hands over to other agents.

import type { ConversationStore } from '../../api/conversations/store.ts'
import type { Announce, AnsweredCall, Converse } from '../../phone/ports.ts'
import { sentences } from '../../speech/text/sentences.ts'
import type { CallControl } from '../../tools/ports.ts'
import { prefetchingLlm } from '../../tools/prefetching-llm.ts'
import { chooseVoice } from '../../voice/agent-voice.ts'
import { realClock } from '../../voice/clock.ts'
import type { ActOutcome, Audio, CallAction, Clock, Transport } from '../../voice/ports.ts'
import { runSession, type SessionControl, type SessionEnd } from '../../voice/session.ts'
import { leaseTransport } from '../../voice/transport-lease.ts'
import { type AgentSetupParts, agentSetup, type PreparedAgent } from './agent-setup.ts'
import { callUpdates } from './call-updates.ts'
import { asSuccessor, endingOnHandoff, HANDED_OVER, MAX_HANDOFFS, withOperatorNote, withTranscript } from './handoff.ts'
import type { Variables } from './session-options.ts'
import { type TranscriptWriterParts, transcriptWriter } from './transcript-writer.ts'
import { turnMetrics, wallTime } from './turn-metrics.ts'

export type VoiceAgentParts = AgentSetupParts &
  Omit<TranscriptWriterParts, 'conversations'> & {
    conversations: ConversationStore
    /** Variables given with the call, for {{name}} in prompt and phrases. */
    variablesOf: (userId: string, callId: string) => Promise<Record<string, string>>
    /** An agent's session of a call has started. */
    onReady?: (callId: string, control: AgentSessionControl) => void
    clock?: Clock
  }

/** What an operator can do with a call through its agent. */
export type AgentSessionControl = SessionControl & {
  /** Synthesises text in the agent's voice. */
  speech(text: string): Audio
  /** Another agent of the same owner takes over at once; only it sees the note. */
  handOver(agentId: string, note: string | null): Promise<ActOutcome>
}

export function voiceAgent(parts: VoiceAgentParts): { announce: Announce; converse: Converse } {
  const setup = agentSetup(parts)
  return {
    async announce(call, text, transport, signal) {
      const { speaker } = await setup.speakerOf(call.userId, call.agent.id)
      const { say } = await chooseVoice(speaker, signal)
      await transport.play(say(text, signal), signal)
    },

    async converse(call, transport, signal) {
      const callVariables = await parts.variablesOf(call.userId, call.callId)
      const first = await setup.prepare(call, { agentId: call.agent.id, callVariables }, signal)
      if (!('agent' in first)) return first
      const conversation = agentConversation({ parts, setup, call, transport, callVariables, signal })
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
        conversation.saveTurns() // before the end of the call is written
      }
    },
  }
}

type ConversationParts = {
  parts: VoiceAgentParts
  setup: ReturnType<typeof agentSetup>
  call: AnsweredCall
  transport: Transport
  callVariables: Variables
  signal: AbortSignal
}

type AgentPart = { end: SessionEnd; next: PreparedAgent | null; variables: Variables }

/** One call: its transcript and metrics, over all agents that take part. */
function agentConversation({ parts, setup, call, transport, callVariables, signal }: ConversationParts) {
  const { onReady, log, clock = realClock } = parts
  const { callId } = call
  const lease = leaseTransport(transport)
  const wall = wallTime(clock)
  const transcript = transcriptWriter(parts, call, wall)
  const metrics = turnMetrics(wall)
  const updates = call.onUpdate && callUpdates(call.onUpdate, wall, metrics.turns)

  /** The reason for a failed transfer is for the log; the model does not get it. */
  function logged(outcome: ActOutcome): ActOutcome {
    const { status, detail } = outcome
    if (status !== 'connected' && status !== 'done') log.info({ callId, status, detail }, 'transfer failed')
    return outcome
  }
  async function act(action: CallAction): Promise<ActOutcome> {
    const outcome = await transport.act(action)
    return action.do === 'transfer' ? logged(outcome) : outcome
  }

  /** Prepares the next agent while this one still speaks: if it cannot take over, nothing has changed. */
  async function successorOf(
    current: PreparedAgent,
    agentId: string,
    handoffs: number,
  ): Promise<PreparedAgent | string> {
    if (handoffs >= MAX_HANDOFFS) return 'This call has been handed over too often.'
    if (agentId === current.agent.id) return 'This agent already has the call.'
    const next = await setup.prepare(call, { agentId, callVariables }, signal).catch((err) => {
      log.error({ err, callId, agentId }, 'failed to prepare agent for handover')
      return null
    })
    return next && 'agent' in next && next.agent.isActive ? next : 'That agent cannot take the call.'
  }

  /** Runs one agent's session; `next` is the agent that takes over afterwards. */
  async function run(current: PreparedAgent, handoffs: number): Promise<AgentPart> {
    const { session, options } = current
    const handoff: { next: PreparedAgent | null } = { next: null }
    const { direction, fromNumber, toNumber } = call
    const live: CallControl = {
      ...{ id: callId, direction, fromNumber, toNumber },
      act,
      speech: (text) => session.say(text, signal),
      async handOver(agentId, message) {
        const next = await successorOf(current, agentId, handoffs)
        if (typeof next === 'string') return logged({ status: 'failed', detail: next })
        handoff.next = asSuccessor(next, message)
        return { status: 'connected', detail: `${next.agent.name} takes over.` }
      },
    }
    const toolbox = await setup.toolboxFor(call, current, { live, epoch: handoffs })
    const tools = () => {
      const offered = updates ? toolbox.tools.map(updates.tool) : toolbox.tools
      return offered.map((tool) => endingOnHandoff(tool, () => handoff.next !== null))
    }
    const sessionTools = tools()
    void toolbox.ready.then(() => sessionTools.splice(0, sessionTools.length, ...tools()))
    const leased = lease()
    const end = await runSession(
      {
        ...session,
        llm: prefetchingLlm(session.llm, toolbox.context),
        transport: leased.transport,
        sentences,
        tools: sessionTools,
        clock,
        onReady: (control) => onReady?.(callId, operatorControl(control, live, handoff)),
        onEvent(event) {
          transcript.onEvent(event)
          metrics.add(event)
          updates?.onEvent(event)
          const isUnknown = event.type === 'tool' && !toolbox.tools.some(({ name }) => name === event.call.name)
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
