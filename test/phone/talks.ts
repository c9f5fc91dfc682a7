// The agent's side of a call in tests, real phones with one set of verbs, and what is left of a call when it is over.
import assert from 'node:assert/strict'
import type { AnsweredCall, Converse } from '../../src/phone/ports.ts'
import type { Transport } from '../../src/voice/ports.ts'
import type { Client } from '../app.ts'
import { AGENT_HZ, ended, type PhoneApp, toneFrames } from '../phone-app.ts'
import { type BaresipOptions, startBaresip } from '../phones/baresip.ts'
import { type LinphoneOptions, startLinphone } from '../phones/linphone.ts'
import { heardMs, listen, type Sound } from '../phones/spectrum.ts'
import { until } from '../until.ts'

export type Talk = { call: AnsweredCall; transport: Transport; signal: AbortSignal; digits(): string }

/** Says its tone without a break, and keeps the digits; `next` gives the calls to the test as they are answered. */
export function toneAgent() {
  const talks: Talk[] = []
  let given = 0
  const converse: Converse = async (call, transport, signal) => {
    let pressed = ''
    talks.push({ call, transport, signal, digits: () => pressed })
    const hear = async () => {
      for await (const _ of transport.input);
    }
    const read = async () => {
      for await (const digit of transport.digits) pressed += digit
    }
    await Promise.all([transport.play(toneFrames(AGENT_HZ, 120), signal), hear(), read()])
    return { endReason: 'agent_ended' }
  }
  const next = async (): Promise<Talk> => {
    const talk = await until('the agent has the call', () => talks[given])
    given++
    return talk
  }
  return { converse, next }
}

/** What every phone can do, whoever made it. */
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
  return {
    ...phone,
    kind: 'baresip' as const,
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
    registered: () => phone.next('registered'),
    incoming: () => phone.next('incoming'),
    established: () => phone.next('established'),
    over: () => phone.next('ended'),
  }
}

/** The phone hears the tone for so long, in all. */
export const hears = (phone: { heard(): string }, hz: number, forMs: number, withinMs?: number) =>
  until(`${hz} Hz for ${forMs} ms`, () => heardMs(listen(phone.heard()), hz) >= forMs, withinMs)

export type Recording = { left: Sound; right: Sound; seconds: number }

/** As GET /api/gateway/calls/recordings/:id gives it: the far side left, the agent right. */
export async function recordingOf(app: PhoneApp, client: Client, callId: string): Promise<Recording> {
  const url = `/api/gateway/calls/recordings/${callId}`
  const answer = await app.app.http.inject({ url, headers: { 'x-api-key': client.key } })
  assert.equal(answer.statusCode, 200, answer.payload)
  const header = answer.rawPayload
  assert.equal(header.readUInt16LE(22), 2, 'it has two channels')
  const rateHz = header.readUInt32LE(24)
  const samples = new Int16Array(answer.rawPayload.buffer.slice(answer.rawPayload.byteOffset + 44))
  assert.equal(samples.length * 2, header.readUInt32LE(40), 'its header tells its length')
  const channel = (at: 0 | 1): Sound => ({
    pcm: Int16Array.from({ length: samples.length >> 1 }, (_, i) => samples[i * 2 + at] as number),
    rateHz,
  })
  return { left: channel(0), right: channel(1), seconds: samples.length / 2 / rateHz }
}

export type Ending = { status?: string; endReason: string; hangupBy: string; direction: 'inbound' | 'outbound' }

/** The call's record when it is over, which must be right in every field that it has; its conversation has ended too. */
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
