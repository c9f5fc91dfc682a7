// Routes of a live call: say, transfer, and a WebSocket to listen in.
import { ownedListener } from '../../base/errors/error-containment.ts'
import { AppError, appError, notFound } from '../../base/errors/errors.ts'
import type { NoteChange } from '../../db/audit.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { type Call, SaidWords, SayOrder, TransferOrder, TransferOutcome } from './schema.ts'
import type { CallStore } from './store.ts'

export type LiveTransfer = {
  to: string | null
  agentId: string | null
  method: 'refer' | 'bridge' | null
  whisper: string | null
}

/** A call together with its owner. */
export type OwnCall = Call & { userId: string }

/**
 * Live calls on any node. Each method throws a conflict if the call's state does not allow it, and 503 if its node does
 * not answer.
 */
export type CallSupervisor = {
  say(call: OwnCall, text: string, isUrgent: boolean): Promise<'said' | 'queued'>
  transfer(call: OwnCall, order: LiveTransfer): Promise<TransferOutcome>
  /** Throws as `listen` would. */
  checkListener(call: OwnCall): Promise<void>
  /** The call's audio until its conversation ends. */
  listen(call: OwnCall): Promise<{ frames: AsyncIterable<Uint8Array>; stop(): void }>
  format: { rateHz: number; channels: number; encoding: string }
}

export type LiveParts = {
  calls: Pick<CallStore, 'get'>
  agents: { get(userId: string, id: string): Promise<{ isActive: boolean }> }
  live: CallSupervisor
  note: NoteChange
}

/** WebSocket routes have no typed parameters. */
const idOf = (req: { params: unknown }) => (req.params as { id: string }).id

const noted = ({ userId, id }: OwnCall) => ({ kind: 'call', userId, id }) as const

/** Time for the last audio to reach a listener after the call has ended. */
const LAST_MS = 5000
/** Maps the HTTP status into the private-use range of close codes. */
const closeCode = (error: unknown) => (error instanceof AppError ? 4000 + error.status : 1011)

export const liveCallRoutes =
  ({ calls, agents, live, note }: LiveParts): Routes =>
  (api) => {
    const ownCall = async (userId: string, id: string): Promise<OwnCall> => ({
      ...(await calls.get(userId, id)),
      userId,
    })

    api.post(
      '/calls/:id/say',
      {
        schema: {
          summary: 'Have the agent of a live call say a text',
          params: ById,
          body: SayOrder,
          response: { 200: SaidWords },
        },
      },
      async (req) => {
        const call = await ownCall(req.userId, req.params.id)
        const text = req.body.text.trim()
        if (text === '') throw appError('call_text_empty')
        const status = await live.say(call, text, req.body.interrupt ?? true)
        await note({ ...noted(call), action: 'spoken_in' })
        return { callId: call.id, status }
      },
    )

    api.post(
      '/calls/:id/transfer',
      {
        schema: {
          summary: 'Transfer a live call to a number, a SIP URI or another agent',
          params: ById,
          body: TransferOrder,
          response: { 200: TransferOutcome },
        },
      },
      async (req) => {
        const call = await ownCall(req.userId, req.params.id)
        const { to = null, agentId = null, method = null, whisper = null } = req.body
        if ((to === null) === (agentId === null)) throw appError('transfer_target_one')
        if (method === 'refer' && whisper !== null) throw appError('transfer_whisper_method')
        if (agentId !== null && !(await agents.get(req.userId, agentId)).isActive) throw notFound('Agent')
        const outcome = await live.transfer(call, { to, agentId, method, whisper: whisper?.trim() || null })
        await note({ ...noted(call), action: 'transferred', after: { agentId, method } })
        return outcome
      },
    )

    api.get(
      '/calls/:id/listen',
      {
        websocket: true,
        config: { isAudited: true },
        schema: { hide: true, params: ById },
        // Runs before the socket opens, so that a refusal is a regular error response.
        preHandler: async (req) => {
          const call = await ownCall(req.userId, idOf(req))
          if (!req.ws) throw appError('websocket_expected')
          await live.checkListener(call)
        },
      },
      async (socket, req) => {
        socket.on('error', () => socket.terminate())
        try {
          const call = await ownCall(req.userId, idOf(req))
          await note({ ...noted(call), action: 'listened_to' })
          const listener = await live.listen(call)
          socket.on('close', ownedListener(listener.stop))
          if (socket.readyState !== socket.OPEN) return listener.stop()
          socket.send(JSON.stringify({ type: 'format', ...live.format }))
          const frames = listener.frames[Symbol.asyncIterator]()
          for (let next = await frames.next(); !next.done; next = await frames.next()) {
            const { value } = next
            // Waits for a slow client; meanwhile the source drops the oldest audio.
            await new Promise<void>((sent) => socket.send(value, () => sent()))
          }
          setTimeout(() => socket.terminate(), LAST_MS).unref()
          socket.send(JSON.stringify({ type: 'ended' }), () => {})
          socket.close(1000)
        } catch (error) {
          socket.close(closeCode(error), error instanceof AppError ? error.message : 'Internal error')
        }
      },
    )
  }
