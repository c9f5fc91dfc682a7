// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { anAgent, atEnd, testConfig } from '../../../test/app.ts'
import { putCall } from '../../../test/call-rows.ts'
import { until } from '../../../test/until.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { AppError } from '../../base/errors/errors.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import { openDatabase } from '../../db/database.ts'
import { agentStore } from '../agents/store.ts'
import type { Message } from '../conversations/schema.ts'
import { conversationStore } from '../conversations/store.ts'
import { userStore } from '../users/store.ts'
import type { SentText } from './driver-port.ts'
import type { GatewayService } from './gateways.ts'
import { SELF } from './linphone/driver.ts'
import { deviceMessaging } from './messaging.ts'
import { deviceStates } from './state-store.ts'
import { deviceStore } from './store.ts'
import { deviceTexts } from './text-queue.ts'

const log = pino({ level: 'silent' })
const secrets = keyRing(['x'.repeat(32)])
const { db, close } = await openDatabase((await testConfig()).database, () => {})
atEnd(close)
const conversations = conversationStore(db)
const states = deviceStates(db, secrets)
const texts = deviceTexts(db)
const devices = deviceStore(db, secrets, { domain: 'd', host: 'd', port: 5060, tlsPort: null })

type Sent = { to: string; text: string; from: string | null }
type Answer = (message: Message, signal: AbortSignal) => AsyncIterable<string>

/** A device with an agent, and a message queue with a fake driver and model. */
async function aDesk(more: { send?: (sent: Sent) => Promise<SentText>; answer?: Answer; hasAgent?: boolean } = {}) {
  const { id: userId } = await userStore(db).create('ana')
  const agent = await agentStore(db).create(userId, anAgent)
  const device = await devices.create(userId, more.hasAgent === false ? {} : { agentId: agent.id }, 'embedded')
  const sent: Sent[] = []
  const service = {
    async sendText(_device: unknown, to: string, text: string, _key: string, from: string | null) {
      const outcome = (await more.send?.({ to, text, from })) ?? { ok: true, externalId: null }
      if (outcome.ok) sent.push({ to, text, from })
      return outcome
    },
  } as unknown as GatewayService
  const answer: Answer =
    more.answer ??
    async function* ({ content }) {
      yield `re: ${content}`
    }
  const open = () => {
    const desk = deviceMessaging({
      db,
      states,
      texts,
      service,
      conversations,
      spendText: async () => {},
      answererOf: async () => ({ name: 'test', isModel: false, words: answer }),
      log,
      pauseMs: 10,
    })
    atEnd(() => desk.close())
    return desk
  }
  const say = (desk: ReturnType<typeof open>, text: string, key = text, from = '+5511911112222') =>
    desk.received({ deviceId: device.id, from, text, key, at: toIso(nowMs()), to: 'agent' })
  const rows = (direction: 'in' | 'out') =>
    db
      .selectFrom('deviceTexts')
      .selectAll()
      .where('deviceId', '=', device.id)
      .where('direction', '=', direction)
      .orderBy('id')
      .execute()
  return { userId, agent, device, sent, open, say, rows }
}
const statuses = (rows: { status: string }[]) => rows.map(({ status }) => status)

test('texts are answered one after the other, in one conversation, and the same text once', async () => {
  const { open, say, sent, rows } = await aDesk()
  const desk = open()
  for (const text of ['one', 'two', 'three', 'two']) assert.equal(await say(desk, text), true)
  await until('all are answered', () => sent.length === 3)
  assert.deepEqual(
    sent.map(({ text }) => text),
    ['re: one', 're: two', 're: three'],
  )
  assert.deepEqual(sent[0], { to: '+5511911112222', text: 're: one', from: 'agent' })
  await until('it is written down', async () => statuses(await rows('out')).every((status) => status === 'sent'))
  const [first] = await rows('in')
  const page = await conversations.messages(first?.conversationId ?? '', { limit: 100 })
  assert.deepEqual(
    page.map(({ content }) => content),
    ['one', 're: one', 'two', 're: two', 'three', 're: three'],
  )
})

test('senders do not wait for each other, and no more are answered at once than is decided', async () => {
  const gate = Promise.withResolvers<void>()
  let atOnce = 0
  let most = 0
  const { open, say, sent } = await aDesk({
    async *answer({ content }) {
      most = Math.max(most, ++atOnce)
      if (content !== 'quick') await gate.promise
      atOnce--
      yield content
    },
  })
  const desk = open()
  for (let i = 0; i < 3; i++) await say(desk, 'slow', `slow ${i}`, `+551191111000${i}`)
  await say(desk, 'quick', 'q', '+5511922220000')
  await until('the quick one is answered', () => sent.length === 1)
  for (let i = 3; i < 9; i++) await say(desk, 'slow', `slow ${i}`, `+551191111000${i}`)
  gate.resolve()
  await until('all are answered', () => sent.length === 10)
  assert.ok(most > 1 && most <= 4, `${most} at once`)
})

test('a text to a device without an agent is kept and not answered', async () => {
  const { open, say, sent, rows, device, userId } = await aDesk({ hasAgent: false })
  const desk = open()
  await say(desk, 'hello')
  await until('it is kept', async () => statuses(await rows('in'))[0] === 'kept')
  assert.deepEqual([sent, await rows('out')], [[], []])
  await devices.update(userId, device, { isDisabled: true })
  assert.equal(await say(desk, 'again'), false, 'a disabled device takes nothing')
})

test('who was silent for a day, or has another agent, begins a new conversation; the old one is ended', async () => {
  const { open, say, sent, rows, userId, device } = await aDesk()
  const desk = open()
  await say(desk, 'one')
  await until('it is answered', () => sent.length === 1)
  await db
    .updateTable('deviceTexts')
    .set({ createdAt: toIso(nowMs() - DAY_MS - 1000) })
    .where('deviceId', '=', device.id)
    .execute()
  await say(desk, 'two')
  await until('it is answered', () => sent.length === 2)
  const other = await agentStore(db).create(userId, anAgent)
  await devices.update(userId, device, { agentId: other.id })
  await say(desk, 'three')
  await until('it is answered', () => sent.length === 3)
  const ids = (await rows('in')).map(({ conversationId }) => conversationId ?? '')
  assert.equal(new Set(ids).size, 3)
  const all = await Promise.all(ids.map((id) => conversations.get(userId, id)))
  assert.deepEqual(statuses(all), ['ended', 'ended', 'active'])
  assert.equal(all[2]?.agentId, other.id)
})

test('what failed for certain is tried again, what is in doubt is not', async () => {
  let failures = 2
  const { open, say, sent, rows } = await aDesk({
    async send({ text }) {
      if (text === 're: doubt') return { ok: false, error: 'no answer', isDoubtful: true }
      if (text === 're: never') return { ok: false, error: 'refused' }
      return failures-- > 0 ? { ok: false, error: 'not connected' } : { ok: true, externalId: 'far-1' }
    },
  })
  const desk = open()
  const ticking = setInterval(() => void desk.tick(), 10)
  await say(desk, 'later')
  await until('it is sent', () => sent.length === 1)
  await say(desk, 'doubt')
  await say(desk, 'never', 'never', '+5511900000000')
  await until('both have ended', async () =>
    (await rows('out')).every(({ endedAt, text }) => endedAt !== null && text !== ''),
  )
  await until('all three are there', async () => (await rows('out')).length === 3)
  await until('the last was given up', async () => statuses(await rows('out')).includes('failed'), 20_000)
  clearInterval(ticking)
  const byText = Object.fromEntries(
    (await rows('out')).map((row) => [row.text, [row.status, row.tries, row.externalId]]),
  )
  assert.deepEqual(byText, {
    're: later': ['sent', 2, 'far-1'],
    're: doubt': ['in_doubt', 0, null],
    're: never': ['failed', 4, null],
  })
})

test('after a crash a text is answered once, with the answer it was given, and nothing is sent twice', async () => {
  let asked = 0
  const { open, say, sent, rows, device } = await aDesk({
    async *answer({ content }) {
      asked++
      yield `re: ${content}`
    },
  })
  const first = open()
  await say(first, 'one')
  await until('it is sent', async () => statuses(await rows('out'))[0] === 'sent')
  await first.close()
  const set = (direction: 'in' | 'out', to: object) =>
    db
      .updateTable('deviceTexts')
      .set({ ...to, dueAt: toIso(nowMs() - 1000), endedAt: null })
      .where('deviceId', '=', device.id)
      .where('direction', '=', direction)
      .execute()

  // The process died after storing the answer and before recording that.
  await set('in', { status: 'answering' })
  await db.deleteFrom('deviceTexts').where('deviceId', '=', device.id).where('direction', '=', 'out').execute()
  const second = open()
  await second.tick()
  await until('it is sent', () => sent.length === 2)
  assert.equal(asked, 1, 'the agent was not asked again')
  await until('it is written down', async () => statuses(await rows('out'))[0] === 'sent')
  const [row] = await rows('in')
  const messages = await conversations.messages(row?.conversationId ?? '', { limit: 10 })
  assert.equal(messages.length, 2)

  // The process died while sending.
  await set('out', { status: 'sending' })
  await second.tick()
  await until('it is left in doubt', async () => statuses(await rows('out'))[0] === 'in_doubt')
  assert.equal(sent.length, 2)
})

test('an agent that cannot answer is asked again; one that is switched off is not', async () => {
  let failures = 2
  const { open, say, sent, rows } = await aDesk({
    async *answer({ content }) {
      if (content === 'off') throw new AppError('conflict', 'This agent is not active')
      if (failures-- > 0) throw new AppError('upstream', 'The model is away')
      yield 'here'
    },
  })
  const desk = open()
  const ticking = setInterval(() => void desk.tick(), 10)
  await say(desk, 'hello')
  await until('it is answered', () => sent.length === 1)
  await say(desk, 'off')
  await until('it is kept', async () => statuses(await rows('in')).includes('kept'))
  clearInterval(ticking)
  const [row] = await rows('in')
  const messages = await conversations.messages(row?.conversationId ?? '', { limit: 10 })
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['hello', 'here', 'off'],
  )
})

test('a tool sends by a device of its user, by any of its names, and under one key once', async () => {
  const { open, sent, device, userId } = await aDesk()
  const other = await aDesk()
  const desk = open()
  const text = { userId, channel: null, to: '+5511933334444', callId: null, text: 'hi', from: null }
  for (const [i, name] of [device.id, device.deviceId, device.token].entries())
    assert.deepEqual(await desk.send({ ...text, deviceId: name, key: `k${i}` }), { ok: true, detail: 'delivered' })
  assert.equal((await desk.send({ ...text, deviceId: device.id, key: 'k0' })).ok, false)
  assert.equal((await desk.send({ ...text, deviceId: other.device.id, key: 'x' })).ok, false)
  assert.equal((await desk.send({ ...text, deviceId: null, channel: 'whatsapp', key: 'y' })).ok, false)
  assert.equal(sent.length, 3)
})

test('a text without a number reaches the phone that is calling by this very device, and no other', async () => {
  const { open, sent, device, userId } = await aDesk()
  const { agentId } = device
  assert.ok(agentId)
  const own = await putCall(db, { userId, agentId, deviceId: device.id })
  const elsewhere = await putCall(db, { userId, agentId, deviceId: null })
  const desk = open()
  const text = { userId, deviceId: device.id, channel: null, to: null, text: 'hi', from: null }
  assert.deepEqual(await desk.send({ ...text, callId: own.id, key: 'a' }), { ok: true, detail: 'delivered' })
  assert.deepEqual(sent, [{ to: SELF, text: 'hi', from: null }])
  for (const callId of [null, elsewhere.id, 'cal_missing']) {
    const refused = await desk.send({ ...text, callId, key: `b ${callId}` })
    assert.equal(refused.ok, false)
    assert.match(refused.detail, /number of the one in the call is not known/)
  }
  assert.equal(sent.length, 1)
})
