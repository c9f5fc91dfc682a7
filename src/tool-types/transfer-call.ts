// Tool type transfer_call: cold and warm transfers to a number, SIP address or agent that the owner configured.
import { waitAtMost } from '../base/concurrency/abort.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { GuardedHttp } from '../base/outside/http-port.ts'
import type { DialPolicy } from '../phone/dial-policy.ts'
import type { ActOutcome, AudioFrame, CallAction } from '../voice/ports.ts'
import { callerOf, numberOf, onlyInCalls, parametersWith, refused } from './call-tool-schema.ts'
import { addressOf, type Destination, destinationProblem, named, type TransferConfig } from './destinations.ts'
import { holdMusic, type ReadSound, ringing } from './hold-music.ts'
import type { CallControl, Json, Outcome, Run, ToolContext, ToolRecord, ToolType } from './ports.ts'
import { notTransferred } from './transfer-failures.ts'

export type TransferParts = {
  dialPolicy: DialPolicy
  http: GuardedHttp
  readSound: ReadSound
  /** Which of these agents the user has; if absent, all are offered. */
  agentsOf?(userId: string, ids: readonly string[]): Promise<readonly string[]>
}

const RING_MS = 30_000
/** For the extension, the whisper, and dialing several trunks. */
const SLACK_MS = 90_000
/** The person who answered waits no longer than this for a summary. */
const SUMMARY_MS = 8000
const MAX_WHISPER = 1000
const MAX_MISSING = 1000

export function transferCall(parts: TransferParts): ToolType {
  /** Agents that were looked up and do not exist. */
  const missing = new LruCache<string, true>(MAX_MISSING)
  const keyOf = (userId: string, agentId: string) => `${userId} ${agentId}`
  const destinationsOf = ({ config }: ToolRecord) => (config as TransferConfig).destinations ?? []
  const problemWith = ({ userId }: ToolRecord, destination: Destination): string | null => {
    const { type, agentId } = destination
    const isMissing = type === 'agent' && agentId && missing.get(keyOf(userId, agentId))
    return isMissing ? `there is no agent ${agentId}` : destinationProblem(destination, parts.dialPolicy)
  }
  const usable = (tool: ToolRecord) => destinationsOf(tool).filter((each) => problemWith(tool, each) === null)
  const problem = (tool: ToolRecord): string | null => {
    if (usable(tool).length > 0 || (tool.config as TransferConfig).allowAnyNumber) return null
    const [first] = destinationsOf(tool)
    return (first && problemWith(tool, first)) ?? 'it has no destinations'
  }
  return {
    problem,

    notice(tool) {
      const left = destinationsOf(tool).flatMap((each) => problemWith(tool, each) ?? [])
      return left.length > 0 ? `Not offered: ${left.join('; ')}`.slice(0, 500) : null
    },

    /** An agent may have been deleted since. */
    async ready(tool) {
      const ids = destinationsOf(tool).flatMap(({ type, agentId }) => (type === 'agent' && agentId ? [agentId] : []))
      if (ids.length === 0 || !parts.agentsOf) return
      const there = await parts.agentsOf(tool.userId, ids).catch(() => ids)
      for (const id of ids)
        if (there.includes(id)) missing.delete(keyOf(tool.userId, id))
        else missing.set(keyOf(tool.userId, id), true)
    },

    functions(tool) {
      if (problem(tool) !== null) return []
      const { allowAnyNumber } = tool.config as TransferConfig
      const destinations = named(usable(tool))
      const ringMs = Math.max(RING_MS, ...[...destinations.values()].map(({ ringTimeoutMs }) => ringTimeoutMs ?? 0))
      return [
        {
          name: tool.name,
          description: tool.description ?? 'Gives this call to somebody else.',
          parameters: schemaOf(tool, [...destinations.keys()], allowAnyNumber === true),
          hasEffect: true,
          isRepeatable: false,
          timeoutMs: ringMs + SLACK_MS,
          run: async (run, signal) => {
            const chosen = choose(run, destinations, allowAnyNumber === true, parts.dialPolicy)
            return 'ok' in chosen ? chosen : give(parts, run, chosen, signal)
          },
        },
      ]
    },
  }
}

function schemaOf(tool: ToolRecord, names: readonly string[], allowAnyNumber: boolean): Json {
  const destination = { type: 'string', enum: names, description: 'To whom the call is given' }
  const number = { type: 'string', description: 'The number to give the call to, as +5511987654321' }
  return parametersWith(
    tool,
    { ...(names.length > 0 ? { destination } : {}), ...(allowAnyNumber ? { number } : {}) },
    names.length > 1 && !allowAnyNumber ? ['destination'] : [],
  )
}

function choose(
  { args }: Run,
  destinations: ReadonlyMap<string, Destination>,
  allowAnyNumber: boolean,
  dialPolicy: DialPolicy,
): Destination | Outcome {
  if (allowAnyNumber && typeof args.number === 'string' && args.destination === undefined) {
    const number = numberOf(args.number)
    if (number === null) return refused('The number is not a whole one: write it as +5511987654321.')
    if (!dialPolicy.allows(number)) return refused('This number may not be called.')
    return { type: 'number', number }
  }
  if (args.destination === undefined && destinations.size === 1) return [...destinations.values()][0] as Destination
  return (
    destinations.get(String(args.destination)) ??
    refused(`Choose one of the destinations: ${[...destinations.keys()].join('; ')}`)
  )
}

async function give(parts: TransferParts, run: Run, to: Destination, signal: AbortSignal): Promise<Outcome> {
  const { context } = run
  const { call } = context
  if (!call) return onlyInCalls
  if (to.type === 'agent')
    return told(await call.handOver(to.agentId as string, to.message ?? null), to, context.language)
  const waiting = new AbortController()
  const stop = AbortSignal.any([signal, waiting.signal])
  try {
    return told(await call.act(actionOf(parts, call, context, to, stop)), to, context.language)
  } finally {
    waiting.abort()
  }
}

function actionOf(
  parts: TransferParts,
  call: CallControl,
  context: ToolContext,
  to: Destination,
  stop: AbortSignal,
): CallAction {
  const isWarm = to.mode === 'warm'
  const method = isWarm ? 'bridge' : to.method
  const callerId = to.callerId === 'caller' ? callerOf(call) : to.callerId && numberOf(to.callerId)
  const headers = Object.entries(to.sipHeaders ?? {}).map(([name, value]) => [name, String(value)])
  const whisper = isWarm ? whisperOf(call, context, to, stop) : null
  return {
    do: 'transfer',
    to: addressOf(to),
    ringTimeoutMs: to.ringTimeoutMs ?? RING_MS,
    hold: holdOf(parts, call, to, stop),
    ...(method ? { method } : {}),
    ...(whisper ? { whisper } : {}),
    ...(callerId ? { callerId } : {}),
    ...(to.extension ? { extension: to.extension } : {}),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
  }
}

/** In a cold transfer the caller hears the message once, then the hold music or ringback. */
function holdOf(parts: TransferParts, call: CallControl, to: Destination, stop: AbortSignal) {
  const music = to.holdMusicUrl ? holdMusic(to.holdMusicUrl, parts, stop) : ringing
  let message = to.mode === 'warm' ? null : to.message
  return async function* (): AsyncGenerator<AudioFrame> {
    const first = message
    message = null
    if (first) yield* call.speech(first)
    yield* music()
  }
}

function whisperOf(call: CallControl, context: ToolContext, { whisper, message }: Destination, stop: AbortSignal) {
  if (whisper === 'none') return null
  if (whisper === 'static' || (!whisper && message)) return message ? () => call.speech(message) : null
  // Generated while the target rings.
  const summary = context.summary(stop).catch(() => '')
  return async function* (): AsyncGenerator<AudioFrame> {
    const text = (await waitAtMost(SUMMARY_MS, summary)) || message || ''
    if (text !== '') yield* call.speech(text.slice(0, MAX_WHISPER))
  }
}

/** The result for the model. Technical details go only to the log: a model may read them aloud. */
function told({ status }: ActOutcome, { onFailure }: Destination, language: string): Outcome {
  if (status === 'connected' || status === 'done') return { ok: true, text: JSON.stringify({ status }), isLast: true }
  const text = notTransferred(status, language)
  return onFailure === 'end' ? { ok: true, text, endsCall: 'agent_ended' } : refused(text)
}
