// A device's status as server-sent events: the current one, then each change in order, including changes by other
// processes.
import { Readable } from 'node:stream'
import { appError } from '../../base/errors/errors.ts'
import type { DeviceRow } from '../../db/tables.ts'
import type { DeviceStates } from './state-store.ts'

export type DeviceEvents = ReturnType<typeof deviceEvents>

type Listener = { userId: string; deviceId: string; lastAt: string; stream: Readable }

const MAX_LISTENERS = 1000
const MAX_PER_USER = 50
/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MS = 15_000
/** Poll interval for changes by other processes. */
const LOOK_MS = 1000
/** After this the client has to reconnect and is authorized again. */
const LIFE_MS = 3_600_000
/** A client that does not read is disconnected. */
const MAX_UNREAD = 65_536

export function deviceEvents(
  states: Pick<DeviceStates, 'onChange' | 'rows'>,
  heartbeatMs = HEARTBEAT_MS,
  lookMs = LOOK_MS,
) {
  const listeners = new Set<Listener>()
  let looking: NodeJS.Timeout | undefined
  const stopHearing = states.onChange((row) => {
    for (const listener of listeners) if (listener.deviceId === row.id) offer(listener, row)
  })

  function offer(listener: Listener, row: DeviceRow): void {
    // A poll that began before a change may return after it.
    if (row.statusAt <= listener.lastAt) return
    listener.lastAt = row.statusAt
    push(listener, event('status', toEvent(row)))
  }

  async function look(): Promise<void> {
    const ids = [...new Set([...listeners].map(({ deviceId }) => deviceId))]
    if (ids.length === 0) return
    const rows = new Map((await states.rows(ids)).map((row) => [row.id, row]))
    for (const listener of listeners) {
      const row = rows.get(listener.deviceId)
      if (row) offer(listener, row)
      else if (ids.includes(listener.deviceId)) {
        push(listener, event('removed', { deviceUuid: listener.deviceId }))
        listener.stream.push(null)
      }
    }
  }

  /** Polls one at a time, while there are listeners. */
  function lookSoon(): void {
    looking ??= setTimeout(() => {
      look()
        .catch(() => {})
        .finally(() => {
          looking = undefined
          if (listeners.size > 0) lookSoon()
        })
    }, lookMs).unref()
  }

  return {
    open(row: DeviceRow): Readable {
      const own = [...listeners].filter(({ userId }) => userId === row.userId).length
      if (listeners.size >= MAX_LISTENERS || own >= MAX_PER_USER)
        throw appError('too_many_listeners', {}, { headers: { 'retry-after': '10' } })
      const beat = setInterval(() => push(listener, ': still here\n\n'), heartbeatMs).unref()
      const life = setTimeout(() => listener.stream.push(null), LIFE_MS).unref()
      const stream = new Readable({
        read() {},
        destroy(error, done) {
          listeners.delete(listener)
          clearInterval(beat)
          clearTimeout(life)
          done(error)
        },
      })
      const listener: Listener = { userId: row.userId, deviceId: row.id, lastAt: '', stream }
      listeners.add(listener)
      offer(listener, row)
      lookSoon()
      return stream
    },
    get size(): number {
      return listeners.size
    },
    close(): void {
      stopHearing()
      clearTimeout(looking)
      for (const { stream } of listeners) stream.push(null)
    },
  }
}

function push({ stream }: Listener, text: string): void {
  if (stream.destroyed) return
  stream.push(text)
  if (stream.readableLength > MAX_UNREAD) stream.destroy()
}

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const toEvent = ({ id, deviceId, status, phone, lastError, statusAt }: DeviceRow) => ({
  deviceUuid: id,
  deviceId,
  status,
  connected: status === 'connected',
  phone,
  lastError,
  at: statusAt,
})
