// The whole platform with its phone service, for tests that call it: a free SIP port, and an agent that plays a tone by
// default.

import type { Converse } from '../src/phone/ports.ts'
import type { AudioFrame } from '../src/voice/ports.ts'
import { anAgent, type Client, startTestApp, type TestApp } from './app.ts'
import { freeSipPort } from './phones/ports.ts'
import { tone } from './phones/spectrum.ts'
import { until } from './until.ts'

/** Not a whole number of periods in 20 ms, so that a missing packet shows as a phase jump. */
export const AGENT_HZ = 611

/** Plays a tone until the caller hangs up, and reads the input meanwhile. */
export const sayTone: Converse = async (_call, transport, signal) => {
  const heard = (async () => {
    for await (const _ of transport.input);
  })()
  await transport.play(toneFrames(AGENT_HZ, 120), signal)
  await heard
  return { endReason: 'agent_ended' }
}

export async function* toneFrames(hz: number, seconds: number): AsyncGenerator<AudioFrame> {
  const { pcm, rateHz } = tone(hz, 1, 16_000)
  for (let i = 0; i < seconds; i++) yield { pcm, rateHz }
}

export type PhoneApp = TestApp & { sipPort: number }

export async function startPhoneApp(
  env: Record<string, string> = {},
  edge: Parameters<typeof startTestApp>[1] = {},
): Promise<PhoneApp> {
  const sipPort = await freeSipPort()
  const app = await startTestApp({ SIP_PORT: String(sipPort), ...env }, { converse: sayTone, ...edge })
  return { ...app, sipPort }
}

let numbers = 0
/** A number that is unique within this file. */
export const newNumber = (): string => `+5511${String(30_000_000 + numbers++)}`

/**
 * Creates an agent on a trunk at this loopback port, and its number. Resolves once the phone service has loaded the
 * trunk.
 */
export async function agentOnTrunk(
  app: PhoneApp,
  client: Client,
  port: number,
  more: { agent?: object; trunk?: object; type?: 'inbound' | 'outbound' } = {},
) {
  const agent = (await client.post('/api/agents', { ...anAgent, ...more.agent })).json
  const settings = { name: 'carrier', host: '127.0.0.1', port, optionsPing: false, ...more.trunk }
  const trunk = (await client.post('/api/trunks', settings)).json
  const number = newNumber()
  const link = {
    trunkId: trunk.id,
    trunkType: more.type ?? 'inbound',
    ...(more.type === 'outbound' ? {} : { phoneNumber: number }),
  }
  await client.post(`/api/agents/${agent.id}/link-trunk`, link)
  await app.app.phone?.refresh()
  return { agentId: agent.id as string, trunkId: trunk.id as string, number }
}

/** Resolves with the call's record once the call has ended. */
export const ended = (client: Client, callId: string, withinMs?: number) =>
  until(
    'the call has ended',
    async () => {
      const { json } = await client.get(`/api/calls/${callId}`)
      return json?.endedAt != null && json
    },
    withinMs,
  )
