// The answer hooks service: asks before a call is answered and before the first reply of a chat; mounts its routes and
// its test.

import type { GuardedClient } from '../../base/outside/guarded-http.ts'
import type { Log } from '../../base/process/log.ts'
import { monotonicMs, now } from '../../base/time/clock.ts'
import type { AnswerHookRow } from '../../db/hook-rows.ts'
import { createBreakers } from '../../failover/breakers.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import type { AnswerDecision, BeforeAnswer, LateAnswer, RingingCall } from '../../phone/ports.ts'
import { mayTransfer } from '../../phone/transfer-policy.ts'
import type { CallStorage } from '../calls/port.ts'
import type { ChatGuidance } from '../conversations/hook-guidance-store.ts'
import type { Conversation } from '../conversations/schema.ts'
import type { ServiceContext } from '../service.ts'
import type { Stores } from '../stores.ts'
import { noAnswer } from './answer.ts'
import { hookAsker } from './ask.ts'
import { type Decided, decider, type HookRequest, lateOutcome, outcomeOf, sampleRequest } from './decide.ts'
import { answerHookRoutes } from './routes.ts'
import type { HookTest, TestedHook } from './schema.ts'
import { type AnswerHookStore, answerHookStore, type HookKey } from './store.ts'

export type AnswerHookServiceParts = {
  stores: Pick<Stores, 'agentInCalls' | 'chatHooks' | 'dids' | 'spreadsheets'>
  storage: Pick<CallStorage, 'hooks'>
  http: Pick<GuardedClient, 'request' | 'refusalFor'>
  dialPolicy: DialPolicy
}

/** Consulted before a call or a chat. */
export type AnswerHooks = {
  beforeAnswer: BeforeAnswer
  /** For a chat that begins: the hook's guidance, from now or earlier. Undefined if no hook was asked. */
  guidanceOf(userId: string, conversation: Conversation): Promise<ChatGuidance | undefined>
}

/** How long a test waits, regardless of the hook's own limit. */
const TEST_MS = 10_000
const TRANSFER_ON_WEB = 'A web call cannot be transferred; the agent answered'
const unguided: ChatGuidance = { agentId: null, variables: {}, language: null, context: null, isRefused: false }

type Asking = {
  hooks: AnswerHookStore
  decide: ReturnType<typeof decider>
  chats: Stores['chatHooks']
  outcomes: CallStorage['hooks']
  dids: Stores['dids']
  log: Log
}

export function answerHookService(
  context: ServiceContext,
  { stores, storage, http, dialPolicy }: AnswerHookServiceParts,
) {
  const { db, secrets, log } = context
  const hooks = answerHookStore(db, {
    secrets,
    refusalFor: http.refusalFor,
    columnsOf: stores.spreadsheets.columnsOf,
  })
  const breakers = createBreakers()
  const asker = hookAsker(breakers)
  const decide = decider({
    hooks,
    http,
    sheets: stores.spreadsheets,
    asker,
    log,
    agentOf: (userId, agentId) => stores.agentInCalls({ userId, agentId }),
    mayTransfer: mayTransfer(dialPolicy),
  })
  const chats = stores.chatHooks
  const asking: Asking = { hooks, decide, chats, outcomes: storage.hooks, dids: stores.dids, log }

  const beforeAnswer: BeforeAnswer = async (call, options) => {
    const { userId, didId, agentId } = call
    const key: HookKey =
      didId === null ? { userId, owner: 'agents', id: agentId } : { userId, owner: 'dids', id: didId }
    try {
      const hook = await hooks.active(key)
      if (!hook) return undefined
      return await decisionOf(asking, hook, call, await decide.ask(hook, requestOf(call), options))
    } catch (err) {
      log.error({ err, userId, callId: call.callId }, 'failed to ask answer hook; the call is answered without it')
      return undefined
    }
  }

  const asked: AnswerHooks = {
    beforeAnswer,
    /** A failure here must not cost the reply. */
    async guidanceOf(userId, conversation) {
      const known = await chats.of(conversation.id)
      if (known) return known
      return askAboutChat(asking, userId, conversation).catch((err) => {
        log.error({ err, userId, conversationId: conversation.id }, 'failed to ask answer hook; replying without it')
        return undefined
      })
    },
  }
  return {
    ...asked,
    routes: [answerHookRoutes({ hooks, test: (key, sample) => testHook(asking, key, sample) })],
    stop: () => asker.close(),
    async [Symbol.asyncDispose](): Promise<void> {
      asker.close()
      breakers.close()
    },
  }
}

/** The hook's late answer, once it is stored with the call; null if there is none or the call is over. */
async function lateAnswer(
  parts: Asking,
  hook: AnswerHookRow,
  callId: string,
  decided: Decided,
): Promise<LateAnswer | null> {
  const late = await decided.late
  if (late?.reply.status !== 'applied') return null
  const { variables, context } = late.reply.answer
  const outcome = lateOutcome(hook, decided, late.reply, late.ms)
  const isLive = await parts.outcomes.late(callId, variables, outcome).catch((err) => {
    parts.log.warn({ err, callId }, 'failed to store the late answer of a hook')
    return true
  })
  return isLive ? { variables, context } : null
}

async function decisionOf(
  parts: Asking,
  hook: AnswerHookRow,
  call: RingingCall,
  decided: Decided,
): Promise<AnswerDecision> {
  const { reply } = decided
  const { variables, language, context, refuse, transferTo } = reply?.answer ?? noAnswer
  const isOnWeb = call.channel === 'web'
  const detail = isOnWeb && transferTo !== null ? TRANSFER_ON_WEB : decided.detail
  return {
    refuse,
    variables,
    language,
    context,
    agent: reply?.agent ?? null,
    transferTo: isOnWeb ? null : transferTo,
    outcome: outcomeOf(hook, { ...decided, detail }),
    late: lateAnswer(parts, hook, call.callId, decided).catch(() => null),
  }
}

async function askAboutChat(
  parts: Asking,
  userId: string,
  conversation: Conversation,
): Promise<ChatGuidance | undefined> {
  const { id, agentId } = conversation
  const hook = await parts.hooks.active({ userId, owner: 'agents', id: agentId })
  if (!hook || !(await parts.chats.isBeginning(id))) return undefined
  const variables = (conversation.variables ?? {}) as Record<string, string>
  const { caller, called } = await parts.chats.peerOf(id)
  const request: HookRequest = {
    type: 'answer_hook',
    callId: null,
    conversationId: id,
    direction: 'inbound',
    channel: 'text',
    caller: caller ?? variables.caller ?? null,
    called,
    agentId,
    headers: {},
    variables,
    time: now(),
    isTest: false,
  }
  const decided = await parts.decide.ask(hook, request, { signal: new AbortController().signal })
  const guidance = guidanceFrom(decided)
  await parts.chats.save(id, guidance, outcomeOf(hook, decided))
  void decided.late
    .then(async (late) => {
      if (late?.reply.status !== 'applied') return
      const { variables, context } = late.reply.answer
      await parts.chats.save(id, { ...unguided, variables, context }, lateOutcome(hook, decided, late.reply, late.ms))
    })
    .catch((err) => parts.log.warn({ err, conversationId: id }, 'failed to store the late answer of a hook'))
  return guidance
}

async function testHook(parts: Asking, key: HookKey, sample: HookTest): Promise<TestedHook> {
  const hook = await parts.hooks.row(key)
  const request = sampleRequest(sample, { ...(await sampleOf(parts, key)), time: now() })
  const startedMs = monotonicMs()
  const reply = await parts.decide.send(hook, request, AbortSignal.timeout(TEST_MS))
  const ms = Math.round(monotonicMs() - startedMs)
  const isLate = ms > hook.timeoutMs && reply.status !== 'failed'
  const { agentId, language, refuse, transferTo, variables, context } = reply.answer
  return {
    status: isLate ? 'late' : reply.status,
    kind: hook.kind,
    ms,
    lateMs: isLate ? ms : null,
    detail: isLate ? `It took ${ms} ms; a caller waits ${hook.timeoutMs} ms at most` : reply.detail,
    agentId,
    language,
    refuse,
    transferTo,
    variables,
    context,
    statusCode: reply.statusCode,
    ignored: reply.ignored,
    request,
  }
}

async function sampleOf(
  parts: Asking,
  { userId, owner, id }: HookKey,
): Promise<Pick<HookRequest, 'channel' | 'called' | 'agentId'>> {
  if (owner === 'agents') return { channel: 'web', called: null, agentId: id }
  const did = await parts.dids.get(userId, id)
  return { channel: 'phone', called: did.phoneNumber, agentId: did.agentId ?? '' }
}

function guidanceFrom({ reply }: Decided): ChatGuidance {
  const { agentId, variables, language, context, refuse } = reply?.answer ?? noAnswer
  return { agentId, variables, language, context, isRefused: refuse !== null }
}

const requestOf = ({
  callId,
  agentId,
  channel,
  fromNumber,
  toNumber,
  headers,
  variables,
}: RingingCall): HookRequest => ({
  type: 'answer_hook',
  callId,
  conversationId: null,
  direction: 'inbound',
  channel,
  caller: fromNumber ?? variables.caller ?? null,
  called: toNumber,
  agentId,
  headers,
  variables,
  time: now(),
  isTest: false,
})
