// The channels of the bus on real servers: long messages, order, a lost connection, and a receiver that is not there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { until } from '../../test/until.ts'
import { newId } from '../base/ids.ts'
import type { Channel, ChannelParts } from './channel.ts'
import { notifyChannel } from './notify-channel.ts'
import { redisChannel } from './redis-channel.ts'
import { MAX_SEALED } from './sealed-messages.ts'

const urls = {
  postgres: process.env.TEST_POSTGRES_URL ?? assert.fail('TEST_POSTGRES_URL is set by test/run.ts'),
  redis: process.env.TEST_REDIS_URL ?? assert.fail('TEST_REDIS_URL is set by test/run.ts'),
}

async function open(
  t: { after(stop: () => unknown): void },
  url: string,
  channelOf: (parts: ChannelParts) => Promise<Channel>,
) {
  const processId = newId('prc')
  const received: string[] = []
  const states: (Error | null)[] = []
  const parts = { url, processId, onMessage: (text: string) => received.push(text) }
  const channel = await channelOf({ ...parts, onState: (error) => states.push(error) })
  t.after(channel.close)
  return { channel, processId, received, states }
}

for (const [name, channelOf] of [
  ['postgres', notifyChannel],
  ['redis', redisChannel],
] as const)
  test(`messages of every size arrive once and in order over ${name}`, async (t) => {
    const [from, to] = [await open(t, urls[name], channelOf), await open(t, urls[name], channelOf)]
    const texts = Array.from({ length: 60 }, (_, i) => `${i}:${'x'.repeat(i % 9 === 0 ? 50_000 : i)}`)
    texts.push('y'.repeat(MAX_SEALED))
    assert.ok((await Promise.all(texts.map((text) => from.channel.publish(to.processId, text)))).every(Boolean))
    await until('all are there', () => to.received.length === texts.length)
    assert.deepEqual(to.received, texts)
    assert.deepEqual(from.received, [])
  })

test('Redis says when nobody received a message', async (t) => {
  const { channel } = await open(t, urls.redis, redisChannel)
  assert.equal(await channel.publish(newId('prc'), 'x'), false)
})

test('a connection that PostgreSQL ends is opened again', async (t) => {
  const { channel, processId, received, states } = await open(t, urls.postgres, notifyChannel)
  const admin = new pg.Client(urls.postgres)
  await admin.connect()
  t.after(() => admin.end())
  // Other files have databases of their own.
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ramal bus' and datname = current_database()`)
  await until('it is noticed', () => states.some((state) => state !== null))
  await until('it is back', () => states.at(-1) === null)
  await channel.publish(processId, 'after')
  await until('it receives', () => received.includes('after'))
})
