// Bus channels on real servers: long messages, ordering, lost connections, and absent receivers.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { tcpWay } from '../../test/cut-way.ts'
import { until } from '../../test/until.ts'
import { newId } from '../base/ids.ts'
import type { Channel, ChannelParts } from './channel.ts'
import { notifyChannel } from './notify-channel.ts'
import { redisChannel as redisChannelWithin } from './redis-channel.ts'
import { MAX_SEALED } from './sealed-messages.ts'

const urls = {
  postgres: process.env.TEST_POSTGRES_URL ?? assert.fail('TEST_POSTGRES_URL is set by test/run.ts'),
  redis: process.env.TEST_REDIS_URL ?? assert.fail('TEST_REDIS_URL is set by test/run.ts'),
}

/** Generous limits: on a busy machine, opening a channel and its commands must not time out. */
const redisChannel = (parts: ChannelParts, limits: { checkMs?: number; commandMs?: number } = {}) =>
  redisChannelWithin(parts, { openMs: 60_000, commandMs: 30_000, ...limits })

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

test('a channel over Redis can publish once it is given out, though the subscription was made earlier', async (t) => {
  const { port, hostname } = new URL(urls.redis)
  let accepted = 0
  const server = createServer((near) => {
    near.on('error', () => {})
    // The first connection, which publishes, gets no response until the client opens another.
    if (accepted++ > 0) near.pipe(connect(Number(port), hostname)).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { channel } = await open(t, `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, redisChannel)
  assert.equal(await channel.publish(newId('prc'), 'x'), false)
})

test('a connection that PostgreSQL ends is opened again', async (t) => {
  const { channel, processId, received, states } = await open(t, urls.postgres, notifyChannel)
  const admin = new pg.Client(urls.postgres)
  await admin.connect()
  t.after(() => admin.end())
  // Other test files use their own databases.
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ramal bus' and datname = current_database()`)
  await until('it is noticed', () => states.some((state) => state !== null))
  await until('it is back', () => states.at(-1) === null)
  await channel.publish(processId, 'after')
  await until('it receives', () => received.includes('after'))
})

/** The server's address behind a TCP proxy that can stall. */
async function stallingWay(url: string) {
  const target = new URL(url)
  const way = await tcpWay(Number(target.port))
  target.port = new URL(way.url).port
  return { url: target.href, stall: way.stall }
}

test('a connection to PostgreSQL that carries nothing more is opened again, also while messages are sent', async (t) => {
  const way = await stallingWay(urls.postgres)
  // No periodic check: the stall must be detected by the messages, which never stop.
  const limits = { queryMs: 1000, checkMs: 3_600_000 }
  const { channel, processId, received } = await open(t, way.url, (parts) => notifyChannel(parts, limits))
  // Open once the initial check has passed; on a busy machine the first connection may have timed out.
  await until('it is open', () => channel.publish(processId, 'before').catch(() => false))
  way.stall()
  await until('a message goes through', () => channel.publish(processId, 'after').catch(() => false))
  await until('it is received', () => received.includes('after'))
})

test('a connection to PostgreSQL that carries nothing more is noticed without any message', async (t) => {
  const way = await stallingWay(urls.postgres)
  const limits = { queryMs: 300, checkMs: 50 }
  const { states } = await open(t, way.url, (parts) => notifyChannel(parts, limits))
  way.stall()
  await until('it is noticed', () => states.some((state) => state !== null))
  await until('it is back', () => states.at(-1) === null)
})

test('a subscription at Redis that carries nothing more is made again', async (t) => {
  const way = await stallingWay(urls.redis)
  const { processId, received } = await open(t, way.url, (parts) =>
    redisChannel(parts, { checkMs: 50, commandMs: 1000 }),
  )
  const other = await open(t, urls.redis, redisChannel)
  way.stall()
  // Redis still counts the lost subscription as a receiver, so only a received message counts.
  await until('a message is received', async () => {
    await other.channel.publish(processId, 'after').catch(() => false)
    return received.includes('after')
  })
})

test('messages go through Redis again after the connection that publishes carried nothing more', async (t) => {
  const way = await stallingWay(urls.redis)
  const { channel } = await open(t, way.url, (parts) => redisChannel(parts, { checkMs: 3_600_000, commandMs: 1000 }))
  const { processId, received } = await open(t, urls.redis, redisChannel)
  way.stall()
  await until('a message goes through', () => channel.publish(processId, 'after').catch(() => false))
  await until('it is received', () => received.includes('after'))
})

test('when the connection that publishes to Redis breaks alone, its return is told as well', async (t) => {
  const { port, hostname } = new URL(urls.redis)
  const accepted: Socket[] = []
  const server = createServer((near) => {
    near.on('error', () => {})
    accepted.push(near)
    const far = connect(Number(port), hostname).on('error', () => {})
    near.once('close', () => far.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { states } = await open(t, `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, redisChannel)
  assert.equal(states.at(-1), null)
  accepted[0]?.resetAndDestroy()
  await until('the loss is told', () => states.some((state) => state !== null))
  await until('its return is told', () => states.at(-1) === null)
})
