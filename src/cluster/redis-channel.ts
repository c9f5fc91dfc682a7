// The bus over Redis pub/sub, with a connection of its own for the subscription.
import type { Channel, ChannelParts } from './channel.ts'

const channelOf = (processId: string) => `ramal:bus:${processId}`
const OPEN_MS = 1500

export async function redisChannel({ url, processId, onMessage, onState }: ChannelParts): Promise<Channel> {
  const { Redis } = await import('ioredis')
  const options = {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResubscribe: false, // done below, at each connection
    connectTimeout: 1500,
    commandTimeout: 1000, // then the message goes by PostgreSQL
    retryStrategy: (tries: number) => Math.min(tries * 100, 2000),
  }
  const publisher = new Redis(url, options)
  const subscriber = new Redis(url, options)
  const subscribed = Promise.withResolvers<void>()
  for (const connection of [publisher, subscriber]) connection.on('error', onState)
  subscriber.on('ready', () => {
    subscriber.subscribe(channelOf(processId)).then(
      () => {
        onState(null)
        subscribed.resolve()
      },
      () => subscriber.disconnect(true), // connects again
    )
  })
  subscriber.on('message', (_channel: string, message: string) => onMessage(message))
  await Promise.race([
    subscribed.promise,
    new Promise<void>((resolve) => setTimeout(resolve, OPEN_MS).unref()), // start anyway
  ])
  return {
    name: 'redis',
    publish: async (to, message) => (await publisher.publish(channelOf(to), message)) > 0,
    async close() {
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}
