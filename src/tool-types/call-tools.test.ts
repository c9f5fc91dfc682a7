// dtmf, end_call and transfer_call on a fake call that records its commands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWav, wavFile } from '../audio/wav.ts'
import type { GuardedHttp } from '../base/outside/http-port.ts'
import { dialPolicy } from '../phone/dial-policy.ts'
import type { ActOutcome, AudioFrame, CallAction } from '../voice/ports.ts'
import { checkArguments } from './arguments.ts'
import { dtmf } from './dtmf.ts'
import { endCall } from './end-call.ts'
import { holdMusic, ringing } from './hold-music.ts'
import type { CallControl, Json, Outcome, ToolContext, ToolRecord, ToolType } from './ports.ts'
import { transferCall } from './transfer-call.ts'

const never = new AbortController().signal
const toolOf = (type: string, config: Json, more: Partial<ToolRecord> = {}): ToolRecord => ({
  id: 'tol_1',
  userId: 'usr_1',
  name: type,
  description: null,
  type,
  method: null,
  requestUrl: null,
  parameters: null,
  headers: null,
  authorization: null,
  body: null,
  messages: null,
  config,
  ...more,
})

function callOf(outcome: ActOutcome = { status: 'done' }) {
  const did: CallAction[] = []
  const handed: [string, string | null][] = []
  const call: CallControl = {
    id: 'cal_1',
    direction: 'inbound',
    fromNumber: '+5511911112222',
    toNumber: '+551130001000',
    async act(action) {
      did.push(action)
      return outcome
    },
    async handOver(agentId, message) {
      handed.push([agentId, message])
      return { status: 'connected' }
    },
    async *speech(text) {
      yield { pcm: Int16Array.from(text, (letter) => letter.charCodeAt(0)), rateHz: 8000 }
    },
  }
  return { call, did, handed }
}
const spoken = async (audio: AsyncIterable<AudioFrame> | undefined) => {
  const iterator = audio?.[Symbol.asyncIterator]()
  const first = await iterator?.next()
  await iterator?.return?.()
  return first?.value ? String.fromCharCode(...(first.value as AudioFrame).pcm.slice(0, 100)) : ''
}

const placeOf = (call: CallControl | null, variables: Record<string, string> = {}): ToolContext => ({
  userId: 'usr_1',
  agent: { id: 'agt_1', name: 'Ana' },
  conversationId: 'cnv_1',
  language: 'pt-BR',
  timeZone: 'America/Sao_Paulo',
  call,
  variables,
  history: [],
  summary: async () => 'He wants his invoice.',
})

/** Validates the arguments first, as the toolbox does. */
async function use(kind: ToolType, tool: ToolRecord, args: Json, place: ToolContext): Promise<Outcome> {
  const [offer] = kind.functions(tool)
  assert.ok(offer, kind.problem?.(tool) ?? 'nothing is offered')
  const checked = checkArguments(offer.parameters, args)
  return checked.ok
    ? offer.run({ id: 'tcl_1', args: checked.args, context: place }, never)
    : { ok: false, error: checked.error }
}

test('dtmf sends only valid digits, with the configured mode and timing', async () => {
  const { call, did } = callOf()
  const tool = toolOf('dtmf', { mode: 'info', toneMs: 100, gapMs: 60, initialDelayMs: 20 })
  const outcome = await use(dtmf(), tool, { digits: '12w#' }, placeOf(call))
  assert.deepEqual(outcome, { ok: true, text: 'The keys were pressed.' })
  assert.deepEqual(did, [{ do: 'digits', digits: '12w#', mode: 'info', toneMs: 100, gapMs: 60 }])
  for (const digits of ['', 'x', '1 2', '1'.repeat(41), '1\r\n'])
    assert.equal((await use(dtmf(), tool, { digits }, placeOf(call))).ok, false, digits)
  assert.equal(did.length, 1)
  assert.equal((await use(dtmf(), tool, { digits: '1' }, placeOf(null))).ok, false)
  const { call: deaf } = callOf({ status: 'failed', detail: 'no INFO' })
  const refused = await use(dtmf(), toolOf('dtmf', {}), { digits: '99' }, placeOf(deaf))
  assert.deepEqual(refused, { ok: false, error: 'The keys were not pressed: no INFO' })
})

test('end_call hangs up after the last words, at once, or not at all while a rejectIf condition holds', async () => {
  const { call, did } = callOf()
  const place = placeOf(call, { isPaid: 'no' })
  const parameters = { type: 'object', properties: { name: { type: 'string' }, open: { type: 'integer' } } }
  const last = toolOf('end_call', { message: 'Tchau, {name}!' }, { parameters })
  assert.deepEqual(await use(endCall(), last, { name: 'Rui' }, place), {
    ok: true,
    text: 'The call ends now.',
    endsCall: 'agent_ended',
    say: 'Tchau, Rui!',
  })
  assert.equal(did.length, 0)
  const atOnce = await use(endCall(), toolOf('end_call', { waitForSpeech: false }), {}, place)
  assert.deepEqual([atOnce.ok, did], [true, [{ do: 'hangup', reason: 'agent_ended' }]])

  const rejectIf = [
    { param: 'open', operator: 'gt', value: 0, message: 'questions are still open' },
    { variable: 'isPaid', operator: 'eq', value: 'no' },
  ]
  const guarded = toolOf('end_call', { rejectIf }, { parameters })
  const open = await use(endCall(), guarded, { open: 2 }, placeOf(call, { isPaid: 'yes' }))
  assert.match(open.ok ? '' : open.error, /questions are still open/)
  assert.equal((await use(endCall(), guarded, { open: 0 }, place)).ok, false)
  assert.equal((await use(endCall(), guarded, { open: 0 }, placeOf(call, { isPaid: 'yes' }))).ok, true)
  assert.match(endCall().problem?.(toolOf('end_call', { rejectIf: [{ operator: 'eq' }] })) ?? '', /rejectIf/)
})

const http = { request: () => Promise.reject(new Error('not asked')), fetch } as unknown as GuardedHttp
const transfer = transferCall({ dialPolicy: dialPolicy(['+1900']), http, readSound: () => assert.fail() })
const sales = { type: 'number', number: '+55 11 98765-4321', description: 'Sales' }
const help = { type: 'sip', sipUri: 'sip:help@example.org', description: 'Help desk' }

test('transfer_call offers only configured destinations, and the model cannot reach any other', async () => {
  const { call, did } = callOf({ status: 'connected' })
  const bad = { type: 'number', number: '+19005551234', description: 'Premium' }
  const tool = toolOf('transfer_call', { destinations: [sales, help, bad, { type: 'number', number: '190' }] })
  const [offer] = transfer.functions(tool)
  const schema = offer?.parameters as { properties: Json; required: string[] }
  assert.deepEqual((schema.properties.destination as Json).enum, ['Sales', 'Help desk'])
  assert.deepEqual(schema.required, ['destination'])
  assert.equal('number' in schema.properties, false)
  for (const args of [{}, { destination: 'Premium' }, { destination: '+5511900000000' }, { number: '+5511900000000' }])
    assert.equal((await use(transfer, tool, args, placeOf(call))).ok, false, JSON.stringify(args))
  assert.equal(did.length, 0)
  const outcome = await use(transfer, tool, { destination: 'Sales' }, placeOf(call))
  assert.deepEqual(outcome, { ok: true, text: '{"status":"connected"}', isLast: true })
  const [action] = did
  assert.ok(action?.do === 'transfer')
  assert.deepEqual([action.to, action.method, action.whisper], ['+5511987654321', undefined, undefined])
  for (const wrong of [{ destinations: [bad] }, { destinations: [] }, {}, { destinations: [{ type: 'agent' }] }])
    assert.notEqual(transfer.problem?.(toolOf('transfer_call', wrong)), null, JSON.stringify(wrong))
  const evil = { type: 'sip', sipUri: 'sip:a@b>\r\nVia: x' }
  assert.deepEqual(transfer.functions(toolOf('transfer_call', { destinations: [evil] })), [])
})

test('any number may be dialled only if the owner allows it, and denied prefixes never', async () => {
  const { call, did } = callOf({ status: 'connected' })
  const tool = toolOf('transfer_call', { allowAnyNumber: true })
  for (const number of ['+19005551234', '0019005551234', '190', 'sip:evil@h', '+5511\r\nContact: x'])
    assert.equal((await use(transfer, tool, { number }, placeOf(call))).ok, false, number)
  assert.equal((await use(transfer, tool, { number: '+55 11 4002-8922' }, placeOf(call))).ok, true)
  assert.deepEqual(
    did.map((action) => action.do === 'transfer' && action.to),
    ['+551140028922'],
  )
})

test('a warm transfer whispers the summary, the static message or nothing, and the caller never hears it', async () => {
  const warm = { ...sales, mode: 'warm', callerId: 'caller', extension: '12#', sipHeaders: { 'X-A': 1 } }
  const act = async (destination: Json) => {
    const { call, did } = callOf({ status: 'connected' })
    await use(transfer, toolOf('transfer_call', { destinations: [destination] }), {}, placeOf(call))
    assert.ok(did[0]?.do === 'transfer')
    return did[0]
  }
  const whole = await act(warm)
  const { method, callerId, extension, headers, ringTimeoutMs } = whole
  assert.deepEqual(
    { method, callerId, extension, headers, ringTimeoutMs },
    {
      method: 'bridge',
      callerId: '+5511911112222',
      extension: '12#',
      headers: { 'X-A': '1' },
      ringTimeoutMs: 30_000,
    },
  )
  assert.equal(await spoken(whole.whisper?.()), 'He wants his invoice.')
  assert.doesNotMatch(await spoken(whole.hold?.()), /invoice/)
  const still = await act({ ...warm, whisper: 'static', message: 'A caller from the site' })
  assert.equal(await spoken(still.whisper?.()), 'A caller from the site')
  assert.equal((await act({ ...warm, whisper: 'none' })).whisper, undefined)
  const cold = await act({ ...sales, method: 'bridge', message: 'One moment' })
  assert.equal(await spoken(cold.hold?.()), 'One moment')
  assert.notEqual(await spoken(cold.hold?.()), 'One moment', 'once is enough')
})

test('another agent takes over; a failed transfer returns to the agent or ends the call', async () => {
  const { call, handed } = callOf({ status: 'no_answer', detail: 'it rang 30 s' })
  const agent = { type: 'agent', agentId: 'agt_2', message: 'Olá de novo' }
  const outcome = await use(transfer, toolOf('transfer_call', { destinations: [agent] }), {}, placeOf(call))
  assert.deepEqual([outcome.ok, handed], [true, [['agt_2', 'Olá de novo']]])
  const sentences = { 'pt-BR': /ninguém atendeu/, 'en-US': /nobody answered/, es: /nadie contestó/, 'de-DE': /nobody/ }
  for (const [language, sentence] of Object.entries(sentences)) {
    const place = { ...placeOf(call), language }
    const back = await use(transfer, toolOf('transfer_call', { destinations: [sales] }), {}, place)
    const { code, status, message, ...more } = JSON.parse(back.ok ? '' : back.error)
    assert.deepEqual([code, status, more], ['not_transferred', 'no_answer', {}], 'no technical words to be read aloud')
    assert.match(message, sentence)
  }
  const ends = { ...sales, onFailure: 'end' }
  const gone = await use(transfer, toolOf('transfer_call', { destinations: [ends] }), {}, placeOf(call))
  assert.equal(gone.ok && gone.endsCall, 'agent_ended')
})

test("a caller on hold hears the owner's music, or ringback if there is none", async () => {
  const music = Int16Array.from({ length: 8000 }, (_, i) => i % 100)
  const answer = (body: Buffer): GuardedHttp => ({ request: async () => ({ status: 200, headers: {}, body }), fetch })
  const firstOf = async (hold: () => AsyncIterable<AudioFrame>) => {
    for await (const { pcm } of hold()) return [...pcm.slice(0, 3)]
    return []
  }
  const given = holdMusic('https://x.example/a.wav', { http: answer(wavFile(music, 8000)), readSound: readWav }, never)
  assert.deepEqual(await firstOf(given), [0, 1, 2])
  assert.deepEqual(await firstOf(given), [0, 1, 2], 'from its beginning again')
  const rings = await firstOf(ringing)
  for (const http of [answer(Buffer.from('<html>')), { request: () => Promise.reject(new Error('down')), fetch }])
    assert.deepEqual(await firstOf(holdMusic('https://x.example/a.wav', { http, readSound: readWav }, never)), rings)
})
