// The bus over PostgreSQL LISTEN and NOTIFY, on a dedicated connection that is reopened whenever it breaks.
import { createRequire } from 'node:module'
import type pg from 'pg'
import { waitAtMost } from '../base/concurrency/abort.ts'
import { backoffMs } from '../base/concurrency/backoff.ts'
import { every } from '../base/time/timer.ts'
import type { Channel, ChannelParts } from './channel.ts'
import { messageJoiner, splitMessage } from './message-parts.ts'

const CONNECT_MS = 3000
/** `checkMs`: how often an idle connection is tested, in case it died silently. */
const LIMITS = { queryMs: 5000, checkMs: 10_000 }
const pauses = { firstMs: 100, maxMs: 5000 }
const MAX_BATCH = 20
const NOTIFY = 'select pg_notify(channel, part) from unnest($1::text[], $2::text[]) as parts (channel, part)'

const channelOf = (processId: string) => `ramal_${processId}`

export async function notifyChannel(
  { url, processId, onMessage, onState }: ChannelParts,
  { queryMs, checkMs } = LIMITS,
): Promise<Channel> {
  const { Client } = createRequire(import.meta.url)('pg') as typeof pg
  const join = messageJoiner()
  let current: pg.Client | undefined
  let retrying: NodeJS.Timeout | undefined
  let failures = 0
  let isListening = false
  let isClosed = false
  const outgoing: { to: string; message: string; sent: PromiseWithResolvers<boolean> }[] = []
  let sending: Promise<void> | undefined

  async function open(): Promise<void> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: queryMs,
      keepAlive: true,
      application_name: 'ramal bus',
    })
    const lost = (error?: Error) => reopen(client, error ?? new Error('connection closed'))
    client.on('error', lost)
    client.on('end', () => lost())
    client.on('notification', ({ payload = '' }) => {
      const message = join(payload)
      if (message !== undefined) onMessage(message)
    })
    current = client
    try {
      await client.connect()
      await client.query(`listen "${channelOf(processId)}"`)
    } catch (error) {
      return lost(error as Error)
    }
    if (current !== client) return
    isListening = true
    failures = 0
    onState(null)
  }

  /** Only the first report of a broken connection counts. */
  function reopen(client: pg.Client, error: Error): void {
    if (current !== client) return
    current = undefined
    isListening = false
    void client.end().catch(() => {})
    if (isClosed) return
    onState(error)
    retrying = setTimeout(() => void open(), backoffMs(++failures, pauses))
    retrying.unref()
  }

  /** Messages that arrive while a statement runs are sent with the next one. A statement delivers its parts together and in order. */
  async function flush(): Promise<void> {
    while (outgoing.length > 0) {
      const batch = outgoing.splice(0, MAX_BATCH)
      const parts = batch.flatMap(({ to, message }) => splitMessage(message).map((part) => [channelOf(to), part]))
      const client = isListening ? current : undefined
      try {
        if (!client) throw new Error('no connection to PostgreSQL')
        await client.query(NOTIFY, [parts.map(([channel]) => channel), parts.map(([, part]) => part)])
        for (const { sent } of batch) sent.resolve(true)
      } catch (error) {
        // Not an error response of the server: the connection is dead.
        if (client && !('severity' in (error as Error))) reopen(client, error as Error)
        for (const { sent } of batch) sent.reject(error)
      }
    }
  }

  async function ping(): Promise<void> {
    const client = current
    if (isListening) await client?.query('select 1').catch((error: Error) => reopen(client, error))
  }

  /** One statement at a time. */
  function run(task: () => Promise<void>): Promise<void> {
    sending ??= task().finally(() => {
      sending = undefined
      if (outgoing.length > 0) void run(flush)
    })
    return sending
  }

  await open()
  const checking = every(
    checkMs,
    () => run(ping),
    () => {},
  )
  return {
    name: 'postgres',
    publish(to, message) {
      const sent = Promise.withResolvers<boolean>()
      outgoing.push({ to, message, sent })
      void run(flush)
      return sent.promise
    },
    async close() {
      isClosed = true
      clearTimeout(retrying)
      await checking.stop()
      await waitAtMost(
        CONNECT_MS,
        Promise.resolve(current?.end()).catch(() => {}),
      )
    },
  }
}
