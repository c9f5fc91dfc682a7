// Helpers for calls in tests: a tone-playing agent, one interface for real phones, and checks of the finished call.
import assert from 'node:assert/strict'
import type { AnsweredCall, Converse } from '../../src/phone/ports.ts'
import type { Transport } from '../../src/voice/ports.ts'
import type { Client } from '../app.ts'
import { AGENT_HZ, ended, type PhoneApp, toneFrames } from '../phone-app.ts'
import { type BaresipOptions, startBaresip } from '../phones/baresip.ts'
import { type LinphoneOptions, startLinphone } from '../phones/linphone.ts'
import { gapsOf, heardMs, jumpsOf, levelsOf, listen, type Sound, stretchesOf } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { type MediaTime, mediaTime, restMs } from './media-time.ts'
import { gotAll, isSmooth, runs } from './whole-audio.ts'

export type Talk = {
  call: AnsweredCall
  transport: Transport
  signal: AbortSignal
  digits(): string
  heard(): Sound
  time: MediaTime
}

/** Plays its tone continuously and records DTMF; `next` returns calls as they are answered. */
export function toneAgent(hz: () => number = () => AGENT_HZ) {
  const talks: Talk[] = []
  let given = 0
  const converse: Converse = async (call, transport, signal) => {
    let pressed = ''
    const time = mediaTime()
    talks.push({ call, transport, signal, digits: () => pressed, heard: () => time.heard(), time })
    const hear = async () => {
      for await (const frame of transport.input) time.hear(frame)
    }
    const read = async () => {
      for await (const digit of transport.digits) pressed += digit
    }
    await Promise.all([transport.play(time.said(toneFrames(hz(), 120)), signal), hear(), read()])
    return { endReason: 'agent_ended' }
  }
  const next = async (): Promise<Talk> => {
    const talk = await until('the agent has the call', () => talks[given])
    given++
    return talk
  }
  return { converse, next }
}

/** The interface that all phones share. */
export type Phone = Awaited<ReturnType<typeof baresipPhone>> | Awaited<ReturnType<typeof linphonePhone>>

type Common = {
  user?: string
  registrar?: { port: number; password: string; transport?: 'udp' | 'tcp' }
  says?: { hz: number }
  answer?: 'auto' | 'manual'
}
export type StartPhone = (options?: Common) => Promise<Phone>

export async function baresipPhone(options: BaresipOptions = {}) {
  const phone = await startBaresip(options)
  const answers = () => phone.events.filter(({ type }) => type === 'CALL_REMOTE_SDP').length
  const offer = async (command: () => Promise<unknown>) => {
    const before = answers()
    await command()
    await until('its re-INVITE is answered', () => answers() > before)
  }
  return {
    ...phone,
    kind: 'baresip' as const,
    hold: () => offer(phone.hold),
    resume: () => offer(phone.resume),
    registered: () => phone.next('REGISTER_OK'),
    incoming: () => phone.next('CALL_INCOMING'),
    established: () => phone.next('CALL_ESTABLISHED'),
    over: () => phone.next('CALL_CLOSED'),
  }
}

export async function linphonePhone(options: LinphoneOptions = {}) {
  const phone = await startLinphone(options)
  return {
    ...phone,
    kind: 'linphone' as const,
    async hold() {
      phone.hold()
      await phone.next('paused')
    },
    async resume() {
      phone.resume()
      await phone.next('established')
    },
    registered: () => phone.next('registered'),
    incoming: () => phone.next('incoming'),
    established: () => phone.next('established'),
    over: () => phone.next('ended'),
  }
}

/** A device account for a phone, bound to an agent. */
export async function deviceOf(app: PhoneApp, client: Client, agentId: string) {
  const device = (await client.post('/api/gateway/devices', { name: 'desk', agentId })).json
  const credentials = (await client.get(`/api/gateway/sip/credentials?deviceId=${device.id}`)).json
  await app.app.phone?.refresh()
  const { username, password, port } = credentials
  return { id: device.id as string, token: device.token as string, user: username, registrar: { port, password } }
}

/** Resolves once the phone has received this much of the tone in total. */
export const hears = (phone: { heard(): string }, hz: number, forMs: number, rateHz?: number) =>
  until(`${hz} Hz for ${forMs} ms`, () => heardMs(listen(phone.heard(), rateHz), hz) >= forMs)

export type Recording = { left: Sound; right: Sound; seconds: number }

/** As returned by GET /api/gateway/calls/recordings/:id: the phone left, the agent right. */
export async function recordingOf(app: PhoneApp, client: Client, callId: string): Promise<Recording> {
  const url = `/api/gateway/calls/recordings/${callId}`
  const answer = await app.app.http.inject({ url, headers: { 'x-api-key': client.key } })
  assert.equal(answer.statusCode, 200, answer.payload)
  const header = answer.rawPayload
  assert.equal(header.readUInt16LE(22), 2, 'it has two channels')
  const rateHz = header.readUInt32LE(24)
  const { buffer, byteOffset, byteLength } = answer.rawPayload
  const samples = new Int16Array(buffer.slice(byteOffset + 44, byteOffset + byteLength))
  assert.equal(samples.length * 2, header.readUInt32LE(40), 'its header tells its length')
  const channel = (at: 0 | 1): Sound => ({
    pcm: Int16Array.from({ length: samples.length >> 1 }, (_, i) => samples[i * 2 + at] as number),
    rateHz,
  })
  return { left: channel(0), right: channel(1), seconds: samples.length / 2 / rateHz }
}

export type Ending = { status?: string; endReason: string; hangupBy: string; direction: 'inbound' | 'outbound' }

/** The record of the ended call, with every field checked; its conversation has ended too. */
export async function rightlyEnded(client: Client, callId: string, expected: Ending) {
  const record = await ended(client, callId)
  const { status, endReason, hangupBy, direction } = record
  assert.deepEqual({ status, endReason, hangupBy, direction }, { status: 'completed', ...expected })
  const at = (name: string) => Date.parse(record[name])
  assert.ok(at('startedAt') <= at('answeredAt') && at('answeredAt') <= at('endedAt'), JSON.stringify(record))
  assert.ok(Math.abs(record.durationSeconds - (at('endedAt') - at('answeredAt')) / 1000) < 1, JSON.stringify(record))
  const conversation = (await client.get(`/api/conversations/${record.conversationId}`)).json
  assert.equal(conversation.status, 'ended')
  return record
}

/** How long a phone stays on hold. */
const HELD_MS = 700

/** Everything in a call between answer and hangup: audio, DTMF, hold, resume. */
export async function wholeCall(
  phone: Phone,
  { transport, digits, heard, time }: Talk,
  phoneHz = NARROW.phone,
): Promise<void> {
  const earlier = phone.digits()
  await phone.established()
  await hears(phone, AGENT_HZ, 1000)
  if (phone.kind === 'baresip') await gotAll(phone, AGENT_HZ, time)
  await phone.press('1#')
  await until('the agent has the keys', () => digits() === '1#')
  await transport.act({ do: 'digits', digits: '42*' })
  await until('the phone has the keys', () => phone.digits() === `${earlier}42*`)
  const soFar = () => heardMs(listen(phone.heard()), AGENT_HZ)
  // The agent's tone continues where its digits interrupted it.
  await hears(phone, AGENT_HZ, soFar() + 300)
  const before = soFar()
  await phone.hold()
  await runs(time, HELD_MS)
  await phone.resume()
  // baresip's recorder stops at the first re-INVITE.
  if (phone.kind === 'linphone') {
    await hears(phone, AGENT_HZ, before + 500)
    await gotAll(phone, AGENT_HZ, time)
  }
  const heardBefore = heardMs(heard(), phoneHz)
  await until('the agent hears the phone again', () => heardMs(heard(), phoneHz) > heardBefore + 500)
}

/** Checks the recording (phone left, agent right, each in position) and the SIP messages of such a call. */
export async function wholeRecording(
  app: PhoneApp,
  client: Client,
  { call, time }: Talk,
  phoneHz: number,
): Promise<void> {
  const { left, right: all } = await recordingOf(app, client, call.callId)
  const right = time.asHeard(all)
  time.isAll(left)
  const [said, heard] = [stretchesOf(right, AGENT_HZ), heardMs(left, phoneHz)]
  const lateMs = time.lateMs(said[0]?.fromMs ?? 60_000)
  assert.ok(lateMs < 300, `the agent begins ${lateMs} ms late`)
  assert.ok(heard > 1000, `the phone is heard for ${heard} ms`)
  isSmooth(left, phoneHz)
  assert.ok(heardMs(left, AGENT_HZ) === 0 && heardMs(all, phoneHz) === 0, 'each is on its own side')
  const gaps = gapsOf(right)
  const silences = gaps.map((gap) => restMs(gap, time.skipped())).filter((ms) => ms >= HELD_MS - 100)
  assert.ok(silences.length >= 2, `one for our keys, one for the hold: ${JSON.stringify(gaps)}`)
  const unexplained = gaps.filter((gap) => restMs(gap, time.heldUp()) > 40)
  assert.ok(unexplained.length <= 2, `and no other: ${JSON.stringify({ gaps, heldUp: time.heldUp() })}`)
  assert.deepEqual(jumpsOf(right, AGENT_HZ), [], 'nothing of the tone is missing')
  assert.deepEqual(
    (await directionsOf(client, call.callId)).slice(-4),
    ['sendonly', 'recvonly', 'sendrecv', 'sendrecv'],
    'a hold is answered rightly',
  )
}

type Entry = { transport: string; direction: 'in' | 'out'; summary: string; message: string }
/** The call's SIP messages without retransmissions. */
export const messagesOf = async (client: Client, callId: string): Promise<Entry[]> =>
  until('the messages are kept', async () => {
    const entries: Entry[] = (await client.get(`/api/calls/${callId}/sip`)).json.entries
    return entries.length > 0 && entries.filter(({ summary }) => !summary.endsWith(' again'))
  })

/** The direction of each SDP in the call; sendrecv by default (RFC 8866 section 6.7). */
async function directionsOf(client: Client, callId: string): Promise<string[]> {
  const withSdp = (await messagesOf(client, callId)).filter(({ message }) => message.includes('\r\nm=audio'))
  return withSdp.map(
    ({ message }) => /\r\na=(sendrecv|sendonly|recvonly|inactive)\r\n/.exec(message)?.[1] ?? 'sendrecv',
  )
}

/**
 * Tones for wideband codecs, above the narrowband range, and for narrowband codecs. None has a whole number of periods
 * in a packet.
 */
export const WIDE = { agent: 4511, phone: 5211 }
export const NARROW = { agent: AGENT_HZ, phone: 1011 }

type Both = {
  app: PhoneApp
  agent: ReturnType<typeof toneAgent>
  phone: Phone
  client: Client
  hz: typeof WIDE
  /** Sample rate of the phone's own recording. */
  rateHz?: number
}

/** Tones and DTMF both ways, until the phone hangs up. */
export async function talkBoth({ app, agent, phone, client, hz, rateHz }: Both): Promise<string> {
  const { call, transport, digits, heard, time } = await agent.next()
  await phone.established()
  await hears(phone, hz.agent, 700, rateHz)
  if (phone.kind === 'baresip') await gotAll(phone, hz.agent, time)
  await transport.act({ do: 'digits', digits: '7' })
  await phone.press('3')
  await until('the keys have come', () => digits() === '3' && phone.digits() === '7')
  await until('the agent hears the phone', () => heardMs(heard(), hz.phone) > 700)
  await phone.hangUp()
  const { callId, direction } = call
  await rightlyEnded(client, callId, { direction, endReason: 'caller_hangup', hangupBy: 'caller' })
  if (phone.kind === 'linphone') await gotAll(phone, hz.agent, time)
  const { left, right } = await recordingOf(app, client, callId)
  time.isAll(left)
  isSmooth(left, hz.phone)
  assert.ok(heardMs(right, hz.agent) > 700, `the agent is heard: ${JSON.stringify(stretchesOf(right, hz.agent))}`)
  assert.equal(left.rateHz, hz === WIDE ? 16_000 : 8000)
  // Linphone's own G.722 is 6 dB too quiet when encoding and 6 dB too loud when decoding.
  const sounds = [
    { sound: left, of: hz.phone },
    { sound: listen(phone.heard(), rateHz), of: hz.agent },
  ]
  for (const { sound, of } of phone.kind === 'baresip' ? sounds : []) {
    const levels = levelsOf(sound, of)
    // The median: packet loss concealment fades the level when the phone is late.
    const levelDb = levels[levels.length >> 1] ?? 0
    assert.ok(Math.abs(levelDb - -11) < 1, `${of} Hz at ${levelDb} dB`)
  }
  return callId
}

/** RFC 3551 section 6: these payload types need no rtpmap. */
const fixed: Record<string, string> = { 0: 'PCMU', 8: 'PCMA', 9: 'G722' }

/** Codec and profile in the SDP answer. */
export async function answeredWith(client: Client, callId: string): Promise<{ codec: string; profile: string }> {
  const isAnswer = ({ summary }: Entry) => /^200 .*INVITE/.test(summary)
  const { message = '' } = (await messagesOf(client, callId)).find(isAnswer) ?? {}
  const [, profile = '', type = ''] = /m=audio \d+ (\S+) (\d+)/.exec(message) ?? []
  const [, codec = fixed[type] ?? ''] = new RegExp(`a=rtpmap:${type} (\\w+)`).exec(message) ?? []
  return { codec, profile }
}
