// The bus over Redis pub/sub, with a separate connection for the subscription. A connection that does not answer is reopened.
import type { Redis as Connection } from 'ioredis'
import { every } from '../base/time/timer.ts'
import type { Channel, ChannelParts } from './channel.ts'

const channelOf = (processId: string) => `ramal:bus:${processId}`
const LIMITS = {
  /** How long the start waits for Redis. */
  openMs: 1500,
  /** How often the subscription is tested: Redis still counts one that died silently as a receiver. */
  checkMs: 5000,
  /** After this time without an answer, the message is sent over PostgreSQL. */
  commandMs: 1000,
}

export async function redisChannel(
  { url, processId, onMessage, onState }: ChannelParts,
  limits: Partial<typeof LIMITS> = {},
): Promise<Channel> {
  const { openMs, checkMs, commandMs } = { ...LIMITS, ...limits }
  const { Redis } = await import('ioredis')
  const options = {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResubscribe: false, // done below, at each connection
    connectTimeout: 1500,
    commandTimeout: commandMs,
    retryStrategy: (tries: number) => Math.min(tries * 100, 2000),
  }
  const publisher = new Redis(url, options)
  const subscriber = new Redis(url, options)
  const subscribed = Promise.withResolvers<void>()
  const publishing = new Promise<void>((resolve) => publisher.once('ready', resolve))
  const away = new Set<Connection>()
  const back = (connection: Connection) => {
    away.delete(connection)
    if (away.size === 0) onState(null)
  }
  for (const connection of [publisher, subscriber])
    connection.on('error', (error) => {
      away.add(connection)
      onState(error)
    })
  publisher.on('ready', () => back(publisher))
  subscriber.on('ready', () => {
    subscriber.subscribe(channelOf(processId)).then(
      () => {
        back(subscriber)
        subscribed.resolve()
      },
      () => subscriber.disconnect(true), // connects again
    )
  })
  subscriber.on('message', (_channel: string, message: string) => onMessage(message))
  await Promise.race([
    Promise.all([subscribed.promise, publishing]),
    new Promise<void>((resolve) => setTimeout(resolve, openMs).unref()),
  ])
  /** Reconnects after a command without an answer; a connection known to be lost reconnects by itself. */
  const answered = async <T>(connection: Connection, command: Promise<T>): Promise<T> => {
    const { stream, status } = connection
    return command.catch((error: Error) => {
      if (status === 'ready' && error.name !== 'ReplyError') stream.destroy()
      throw error
    })
  }
  const checking = every(
    checkMs,
    () => answered(subscriber, subscriber.ping()),
    () => {},
  )
  return {
    name: 'redis',
    publish: async (to, message) => (await answered(publisher, publisher.publish(channelOf(to), message))) > 0,
    async close() {
      await checking.stop()
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}
