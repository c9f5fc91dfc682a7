// /api/calls, and the calls of /api/gateway
import { Type } from 'typebox'
import { appError } from '../../base/errors/errors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { forbiddenHeader } from '../../base/network/sip-headers.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { NoteChange } from '../../db/audit.ts'
import type { CallRow } from '../../db/tables.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import { requireScope } from '../../http/scopes.ts'
import type { Api, Routes } from '../../http/server.ts'
import type { DialPolicy } from '../../phone/dial-policy.ts'
import { CallHook, type HookOutcome } from '../answer-hooks/schema.ts'
import type { recordingFiles } from '../recordings/recording-store.ts'
import type { SipEntry } from '../trunks/schema.ts'
import { toCall } from './call-record.ts'
import type { DetailedRow } from './details-store.ts'
import type { DialQueue } from './dial-queue.ts'
import { callCursor } from './list-store.ts'
import {
  ActiveCall,
  BySession,
  Call,
  CallCount,
  CallCountQuery,
  CallQuery,
  ListedCall,
  NewCall,
  NewGatewayCall,
  RecordingQuery,
  SipLadder,
  StartedCall,
  Turn,
} from './schema.ts'
import type { CallStore, NewOutboundCall } from './store.ts'

export type CallParts = {
  calls: CallStore
  ladderOf: (userId: string, id: string) => Promise<SipEntry[]>
  turnsOf: (userId: string, id: string) => Promise<Turn[]>
  drawLadder: (entries: readonly SipEntry[]) => string
  queue: DialQueue
  /** Counts a call; throws if today's budget is used up. */
  spendCall: (userId: string) => Promise<void>
  recordings: Pick<ReturnType<typeof recordingFiles>, 'send'>
  dialPolicy: DialPolicy
  /** The header names that the agent's outbound trunks allow. */
  headersOf: (userId: string, agentId: string) => Promise<string[]>
  hookOf: (userId: string, id: string) => Promise<HookOutcome | null>
  /** Hangs up the live call; true if this process runs it. */
  hangUp: (call: CallRow['id']) => Promise<boolean>
  note: NoteChange
}

type CallTarget = Pick<NewOutboundCall, 'agentId' | 'deviceTokens'>

export const callRoutes =
  (parts: CallParts): Routes =>
  (api) => {
    addPlacing(api, parts)
    addCalls(api, parts)
    addRecords(api, parts)
  }

function addPlacing(api: Api, { calls, queue, spendCall, dialPolicy, headersOf }: CallParts): void {
  async function start(userId: string, call: NewOutboundCall) {
    if (!dialPolicy.allows(call.toNumber)) throw appError('call_number_forbidden')
    const row = await queue.add(userId, () => calls.createOutbound(userId, call, () => spendCall(userId)))
    return { success: true, callId: row.id, status: row.status }
  }
  /** Devices take no custom headers; only trunks have an allow-list. */
  async function checkHeaders(userId: string, headers: Record<string, string>, call: CallTarget): Promise<void> {
    const allowed = call.deviceTokens?.length ? [] : await headersOf(userId, call.agentId)
    const name = forbiddenHeader(headers, allowed)
    if (name !== null) throw appError('call_header_not_allowed', { name })
  }
  const optional = <T>(value: T | null | undefined): T | null => value ?? null

  api.post(
    '/calls/outbound',
    { schema: { summary: 'Place an outbound call', body: NewCall, response: { 201: StartedCall } } },
    async (req, reply) => {
      const { agentId, toNumber, fromDeviceTokens, variables, metadata, headers } = req.body
      const deviceTokens = optional(fromDeviceTokens)
      if (headers) await checkHeaders(req.userId, headers, { agentId, deviceTokens })
      const given = { variables: optional(variables), metadata: optional(metadata), headers: optional(headers) }
      const call = { agentId, toNumber, deviceTokens, ...given }
      return reply.code(201).send(await start(req.userId, call))
    },
  )

  api.post(
    '/gateway/calls/outbound',
    {
      schema: {
        summary: 'Place an outbound call through a device',
        body: NewGatewayCall,
        response: { 201: StartedCall },
      },
    },
    async (req, reply) => {
      const { agentId, toNumber, deviceTokens, variables, metadata } = req.body
      const scopes = req.grant?.scopes ?? null
      const named = deviceTokens?.length ? deviceTokens : null
      // Only keys with the `calls` scope may use trunks; others call through the user's devices.
      const mayUseTrunks = scopes === null || scopes.has('calls')
      const call = {
        agentId,
        toNumber,
        deviceTokens: named ?? (mayUseTrunks ? optional(deviceTokens) : await calls.devicesOf(req.userId)),
        variables: optional(variables),
        metadata: optional(metadata),
      }
      return reply.code(201).send(await start(req.userId, call))
    },
  )
}

function addCalls(api: Api, { calls, hangUp, note }: CallParts): void {
  api.get(
    '/calls/outbound/active',
    { schema: { summary: 'List the outbound calls in progress', response: { 200: Type.Array(ActiveCall) } } },
    async (req) => (await calls.active(req.userId)).map(toCall),
  )

  addList(api, '/calls', {
    summary: 'List calls',
    query: CallQuery,
    record: ListedCall,
    async page(req, page): Promise<DetailedRow[]> {
      const { include, ...filter } = req.query
      if (include === 'details') requireScope(req.grant?.scopes ?? null, 'conversations')
      const rows = await calls.page(req.userId, filter, page)
      return include === 'details' ? calls.details(rows) : rows
    },
    at: callCursor,
    toRecord: ({ details, ...row }: DetailedRow) => ({ ...toCall(row), ...details }),
  })

  api.get(
    '/calls/count',
    { schema: { summary: 'Count calls', querystring: CallCountQuery, response: { 200: CallCount } } },
    (req) => calls.count(req.userId, req.query),
  )

  const one = { params: ById, response: { 200: Call } }

  api.get('/calls/:id', { schema: { summary: 'Get a call', ...one } }, (req) => calls.get(req.userId, req.params.id))

  api.post('/calls/:id/hangup', { schema: { summary: 'Hang up a call', ...one } }, async (req) => {
    const { id } = await calls.get(req.userId, req.params.id)
    if (!(await hangUp(id))) throw appError('call_already_ended')
    await note({ kind: 'call', action: 'hung_up', userId: req.userId, id })
    return calls.get(req.userId, id)
  })
}

/** A player fetches a recording in parts, which are one download. */
const ONE_DOWNLOAD_MS = 600_000

function newDownloads() {
  const lastMs = new LruCache<string, number>(10_000)
  return (of: string): boolean => {
    const [before, at] = [lastMs.get(of), monotonicMs()]
    lastMs.set(of, at)
    return before === undefined || at - before > ONE_DOWNLOAD_MS
  }
}

/** Routes for what is stored about a call besides its record. */
function addRecords(api: Api, parts: CallParts): void {
  const { calls, ladderOf, turnsOf, drawLadder, recordings, note } = parts
  const isNewDownload = newDownloads()
  api.get(
    '/calls/:id/sip',
    { schema: { summary: 'Get the SIP messages of a call', params: ById, response: { 200: SipLadder } } },
    async (req) => {
      const entries = await ladderOf(req.userId, req.params.id)
      return { callId: req.params.id, entries, ladder: drawLadder(entries) }
    },
  )

  api.get(
    '/calls/:id/answer-hook',
    {
      schema: {
        summary: 'Get what the answer hook decided about a call',
        params: ById,
        response: { 200: CallHook },
      },
    },
    async (req) => ({ callId: req.params.id, hook: await parts.hookOf(req.userId, req.params.id) }),
  )

  api.get(
    '/calls/:id/turns',
    {
      schema: {
        summary: 'List the turns of a call with their latency',
        params: ById,
        response: { 200: Type.Array(Turn) },
      },
    },
    (req) => turnsOf(req.userId, req.params.id),
  )

  const wav = (description: string) => ({
    description,
    content: { 'audio/wav': { schema: { type: 'string', format: 'binary' } } },
  })

  api.get(
    '/gateway/calls/recordings/:sessionId',
    {
      config: { isAudited: true },
      schema: {
        summary: 'Download the recording of a finished call',
        params: BySession,
        querystring: RecordingQuery,
        response: { 200: wav('The whole recording'), 206: wav('The byte range requested by the Range header') },
      },
    },
    async (req, reply) => {
      const { sessionId } = req.params
      const recording = await calls.recordingOf(req.userId, sessionId)
      if (isNewDownload(`${req.grant?.id} ${sessionId}`))
        await note({ kind: 'call', action: 'recording_downloaded', userId: req.userId, id: sessionId })
      return recordings.send(req, reply, { callId: sessionId, recording, channel: req.query.channel })
    },
  )
}
