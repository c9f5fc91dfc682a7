// Decides about a call or chat: asks the hook, checks the answer against what the owner may use, and describes the
// outcome.

import type { GuardedHttp } from '../../base/outside/http-port.ts'
import type { Log } from '../../base/process/log.ts'
import type { AnswerHookRow } from '../../db/hook-rows.ts'
import type { Agent } from '../../phone/ports.ts'
import type { SpreadsheetStore } from '../spreadsheets/store.ts'
import { noAnswer } from './answer.ts'
import type { Asked, HookReply, hookAsker } from './ask.ts'
import type { HookOutcome, HookTest, SheetLookup } from './schema.ts'
import { answerOfRow, writtenForms } from './sheet-answer.ts'
import { type AnswerHookStore, lookupOf } from './store.ts'
import { askUrl, failure, replyFrom } from './url-hook.ts'

export type DecideParts = {
  hooks: Pick<AnswerHookStore, 'secretsOf'>
  http: Pick<GuardedHttp, 'request'>
  sheets: Pick<SpreadsheetStore, 'rowWith'>
  asker: Pick<ReturnType<typeof hookAsker>, 'ask'>
  /** An agent of this user, as calls use it. */
  agentOf: (userId: string, agentId: string) => Promise<Agent | undefined>
  /** The dial policy, the same as for transfers. */
  mayTransfer: (to: string) => boolean
  log: Log
}

export type HookChannel = 'phone' | 'web' | 'text'

/** The question sent to a hook. */
export type HookRequest = {
  type: 'answer_hook'
  callId: string | null
  conversationId: string | null
  direction: 'inbound'
  channel: HookChannel
  caller: string | null
  called: string | null
  agentId: string
  /** The SIP headers named in the trunk's headerVariables. */
  headers: Readonly<Record<string, string>>
  variables: Readonly<Record<string, string>>
  time: string
  isTest: boolean
}

/** A reply whose agent has been looked up. */
export type CheckedReply = HookReply & { agent?: Agent }
export type Decided = Omit<Asked, 'reply' | 'late'> & {
  reply: CheckedReply | null
  late: Promise<{ reply: CheckedReply; ms: number } | null>
}

export type AskOptions = { signal: AbortSignal; onWaiting?: () => void }

export function decider(parts: DecideParts) {
  const { http, sheets, log } = parts

  async function askSheet(userId: string, lookup: SheetLookup, { caller, called }: HookRequest): Promise<HookReply> {
    const values = caller === null ? [] : writtenForms(caller, called)
    if (values.length === 0) return { ...replyFrom(null), detail: 'The caller has no number' }
    const row = await sheets.rowWith(userId, lookup.spreadsheetId, { values, column: lookup.column })
    return row ? replyFrom(answerOfRow(row, lookup)) : { ...replyFrom(null), detail: 'No row has this number' }
  }

  /** An agent or number that the owner may not use invalidates the whole answer. */
  async function checked(userId: string, reply: HookReply, { channel }: HookRequest): Promise<CheckedReply> {
    const { agentId, transferTo } = reply.answer
    const wrong = (detail: string): CheckedReply => ({ ...failure('invalid', detail), statusCode: reply.statusCode })
    const agent = agentId === null ? undefined : await parts.agentOf(userId, agentId)
    if (agentId !== null && !agent?.isActive) return wrong('agentId names no active agent of this account')
    if (agent?.direction === 'outbound' && channel !== 'text') return wrong('agentId names an agent for outbound calls')
    if (transferTo !== null && !parts.mayTransfer(transferTo)) return wrong('transferTo may not be called')
    return { ...reply, ...(agent ? { agent } : {}) }
  }

  /** Never throws: a failure here must not cost the call. */
  async function send(hook: AnswerHookRow, request: HookRequest, signal: AbortSignal): Promise<CheckedReply> {
    const { userId } = hook
    try {
      const id = request.callId ?? request.conversationId ?? hook.id
      const reply =
        hook.kind === 'url'
          ? await askUrl(http, { url: hook.url ?? '', secrets: parts.hooks.secretsOf(hook), id, body: request }, signal)
          : await askSheet(userId, lookupOf(hook), request)
      return await checked(userId, reply, request)
    } catch (err) {
      log.warn({ err, userId, hookId: hook.id }, 'answer hook failed')
      return failure('failed', hook.kind === 'url' ? 'The request failed' : 'The spreadsheet could not be read')
    }
  }

  return {
    send,
    async ask(hook: AnswerHookRow, request: HookRequest, options: AskOptions): Promise<Decided> {
      const { id, userId, updatedAt, timeoutMs } = hook
      const decided = await parts.asker.ask({
        userId,
        hook: { id, updatedAt, timeoutMs },
        send: (signal) => send(hook, request, signal),
        ...options,
      })
      const { status, ms, detail } = decided
      log.info({ userId, hookId: id, callId: request.callId, status, ms, detail }, 'answer hook asked')
      return decided as Decided
    },
  }
}

/** For the call's record: variable names, never their values. */
export function outcomeOf(
  { kind }: Pick<AnswerHookRow, 'kind'>,
  { status, ms, detail, reply }: Pick<Decided, 'status' | 'ms' | 'detail' | 'reply'>,
  lateMs: number | null = null,
): HookOutcome {
  const { agentId, language, refuse, transferTo, variables, context } = reply?.answer ?? noAnswer
  return {
    status,
    kind,
    ms,
    lateMs,
    detail,
    agentId,
    language,
    refuse,
    transferTo,
    variables: Object.keys(variables),
    hasContext: context !== null,
  }
}

/** A late answer still supplies variables and context; agent, language and refusal were already decided without it. */
export function lateOutcome(hook: Pick<AnswerHookRow, 'kind'>, before: Decided, reply: CheckedReply, lateMs: number) {
  const { variables, context } = reply.answer
  const used: CheckedReply = { ...reply, answer: { ...noAnswer, variables, context } }
  return outcomeOf(hook, { ...before, status: 'late', detail: null, reply: used }, lateMs)
}

const SAMPLE_CALLER = '+5511987654321'

/** The sample request of a test. */
export const sampleRequest = (
  { caller }: HookTest,
  { channel, called, agentId, time }: Pick<HookRequest, 'channel' | 'called' | 'agentId' | 'time'>,
): HookRequest => ({
  type: 'answer_hook',
  direction: 'inbound',
  channel,
  called,
  agentId,
  time,
  isTest: true,
  callId: 'cal_test',
  conversationId: null,
  caller: caller ?? SAMPLE_CALLER,
  headers: {},
  variables: {},
})
