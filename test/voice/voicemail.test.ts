// Who answers an outbound call: the agent talks to a person; with voicemail it hangs up, stays silent, or leaves a
// message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST_LEVEL } from '../../src/simulation/scripted-stt.ts'
import type { Vad } from '../../src/voice/ports.ts'
import type { TurnRules } from '../../src/voice/turn/rules.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'
import { scriptedVad } from './scripted-edges.ts'

const opening = 'Olá, aqui é a Ana, da clínica.'
const message = 'Aqui é a Ana. Ligo de novo amanhã.'
const greeting = 'Oi, aqui é o João. Deixe seu recado após o sinal.'

/** Like the script's VAD, but a tone does not count as a voice. */
const vad: Vad = {
  open(rateHz) {
    const stream = scriptedVad.open(rateHz)
    const voiceOf = (pcm: Int16Array) => pcm.map((sample) => (sample >= FIRST_LEVEL ? sample : 0))
    return { push: (pcm) => stream.push(voiceOf(pcm)), close: () => stream.close() }
  },
}

function callOut(voicemail: TurnRules['voicemail'], script: Script = {}): ScriptedCall {
  return scriptedCall({
    opening,
    vad,
    reply: () => 'Certo.',
    ...script,
    rules: { voicemail, ...script.rules },
    options: { openingDelayMs: 1200, amd: { message }, ...script.options },
  })
}
const answeredBy = (call: ScriptedCall) =>
  call.events.flatMap((event) => (event.type === 'amd-result' ? [event.by] : []))

test('a person who says hello is detected as human, and AMD does not delay the opening', async () => {
  const call = callOut('hangup')
  const unscreened = scriptedCall({ opening, options: { openingDelayMs: 1200 } })
  for (const each of [call, unscreened]) {
    await each.says('Alô?', 500)
    await each.pass(6000)
    assert.deepEqual(each.record(), ['caller: Alô?', `agent: ${opening}`])
    assert.equal(each.ended, undefined)
    await each.leaves()
  }
  assert.deepEqual(answeredBy(call), ['human'])
  assert.deepEqual(answeredBy(unscreened), [])
  assert.equal(call.heard[0]?.from, unscreened.heard[0]?.from)
})

test('a voicemail is detected by its words, and the call ends if configured', async () => {
  const call = callOut('hangup')
  await call.says(greeting, 6000)
  await call.pass(1000)
  assert.deepEqual(answeredBy(call), ['machine'])
  assert.equal(call.ended?.endReason, 'voicemail')
  assert.deepEqual(call.heard, [])
})

test("a company's long greeting without a tone is a person, and the agent opens", async () => {
  for (const action of ['hangup', 'message'] as const) {
    const call = callOut(action)
    const company = 'Clínica São Lucas, aqui é a Maria, bom dia, em que posso ajudar?'
    await call.says(company, 6000)
    const quietAt = call.now
    await call.pass(6000)
    assert.deepEqual(answeredBy(call), ['human'], action)
    assert.deepEqual(call.record(), [`caller: ${company}`, `agent: ${opening}`])
    const waited = (call.heard[0]?.from ?? 0) - quietAt
    assert.ok(waited >= 1500 && waited <= 2000, `${waited} ms`)
    assert.equal(call.ended, undefined)
    await call.leaves()
  }
})

test('a short greeting with a tone is a voicemail: the message is left after the tone', async () => {
  const call = callOut('message')
  await call.says('Oi, é o João.', 1300)
  await call.pass(900)
  await call.beeps(1000, 400)
  const toneEnd = call.now
  await call.pass(10_000)
  assert.deepEqual(answeredBy(call), ['human', 'machine'])
  const said = call.lastHeard(message)
  assert.ok(said && !said.isCut && Math.abs(said.from - toneEnd) <= 120, `${(said?.from ?? 0) - toneEnd} ms after it`)
  assert.equal(call.ended?.endReason, 'voicemail')
})

test('a short voicemail greeting is detected by its words', async () => {
  const call = callOut('hangup')
  await call.says('Caixa postal.', 1200)
  await call.pass(3000)
  assert.equal(answeredBy(call).at(-1), 'machine')
  assert.equal(call.ended?.endReason, 'voicemail')
  assert.deepEqual(call.record()[0], 'caller: Caixa postal.', 'what it said is on record')
})

test('a voicemail that sounds like a person at first is hung up on during the opening', async () => {
  const call = callOut('hangup')
  await call.says('Oi!', 400)
  await call.pass(900)
  assert.deepEqual(answeredBy(call), ['human'])
  await call.says('Deixe sua mensagem.', 1500)
  await call.pass(3000)
  assert.deepEqual(answeredBy(call), ['human', 'machine'])
  assert.equal(call.ended?.endReason, 'voicemail')
})

/** A gateway answers the call and passes the ringback tone on. */
async function ringsTwice(call: ScriptedCall): Promise<void> {
  for (let ring = 0; ring < 2; ring++) {
    await call.beeps(425, 1000)
    await call.pass(4000)
  }
}

test('a person who answers after ringback tones in the call is not taken for a voicemail', async () => {
  for (const action of ['hangup', 'message', 'ignore'] as const) {
    const call = callOut(action)
    await ringsTwice(call)
    assert.deepEqual(answeredBy(call), [], action)
    await call.says('Alô?', 500)
    await call.pass(6000)
    assert.deepEqual(answeredBy(call), ['human'], action)
    assert.equal(call.ended, undefined, action)
    assert.equal(call.lastHeard(message), undefined, action)
    await call.leaves()
  }
})

test('a voicemail that answers after ringback tones in the call is one', async () => {
  const call = callOut('message')
  await ringsTwice(call)
  await call.says('Oi, é o João.', 1300)
  await call.pass(900)
  await call.beeps(1000, 400)
  await call.pass(10_000)
  assert.equal(answeredBy(call).at(-1), 'machine')
  assert.ok(call.lastHeard(message))
  assert.equal(call.ended?.endReason, 'voicemail')
})

test('a busy tone after a person has hung up is not the tone of a voicemail', async () => {
  const call = callOut('hangup')
  await call.says('Alô?', 500)
  await call.pass(900)
  for (let i = 0; i < 6; i++) {
    await call.beeps(425, 250)
    await call.pass(240)
  }
  assert.deepEqual(answeredBy(call), ['human'])
  assert.equal(call.ended, undefined)
  await call.leaves()
})

test('the message is left at the tone, and then the agent hangs up', async () => {
  const call = callOut('message')
  await call.says(greeting, 6000)
  await call.pass(700)
  assert.deepEqual(call.heard, [], 'silent until then')
  await call.beeps(1000, 400)
  const toneEnd = call.now
  await call.pass(10_000)
  const said = call.lastHeard(message)
  assert.ok(said && !said.isCut && Math.abs(said.from - toneEnd) <= 120, `${(said?.from ?? 0) - toneEnd} ms after it`)
  assert.equal(call.heard.length, 1)
  assert.equal(call.ended?.endReason, 'voicemail')
  assert.ok(call.ended.at >= said.to)
  assert.deepEqual(call.record(), [`caller: ${greeting}`, `agent: ${message}`])
})

test('without a tone it is left after 1.5 s of silence', async () => {
  const call = callOut('message')
  await call.says(greeting, 6000)
  const quietAt = call.now
  await call.pass(10_000)
  const said = call.lastHeard(message)
  const waited = (said?.from ?? 0) - quietAt
  assert.ok(waited >= 1500 && waited <= 1850, `${waited} ms`)
  assert.equal(call.ended?.endReason, 'voicemail')
})

test('a pause in the greeting is not its end', async () => {
  const call = callOut('message')
  await call.says('Oi, aqui é o João, tudo bem com você?', 5000)
  await call.pass(1000)
  await call.says('Deixe seu recado.', 2000)
  const quietAt = call.now
  await call.pass(10_000)
  const said = call.lastHeard(message)
  assert.ok((said?.from ?? 0) > quietAt + 1400)
  assert.equal(call.heard.length, 1)
})

test('the message is left after 30 s of an endless greeting', async () => {
  const call = callOut('message')
  await call.says(`${greeting} ${'Nosso horário é das oito às dezoito. '.repeat(10)}`, 60_000)
  const said = call.lastHeard(message)
  assert.ok(said && said.from > 38_000 && said.from < 39_000, `at ${said?.from}`)
  assert.equal(call.ended?.endReason, 'voicemail')
})

test('a tone during the message restarts it once', async () => {
  const call = callOut('message')
  await call.says(greeting, 6000)
  await call.pass(2400)
  assert.equal(call.heard.length, 1, 'it has begun')
  await call.beeps(1000, 400)
  await call.pass(600)
  await call.beeps(1000, 400)
  await call.pass(8000)
  assert.deepEqual(
    call.heard.map(({ text, isCut }) => [text, isCut]),
    [
      [message, true],
      [message, false],
    ],
  )
  assert.equal(call.ended?.endReason, 'voicemail')
})

test('an agent that speaks when a voicemail is detected stops and leaves its message later', async () => {
  const long =
    'Olá, aqui é a Ana, da clínica, e eu gostaria de confirmar a sua consulta de amanhã às nove horas da manhã.'
  const call = callOut('message', { opening: long })
  await call.says('Oi!', 400)
  await call.pass(1500)
  assert.equal(call.heard[0]?.text, long)
  await call.says('Recado? Após o sinal.', 280)
  await call.pass(700)
  assert.ok(call.heard[0]?.isCut)
  await call.beeps(850, 300)
  await call.pass(8000)
  assert.deepEqual(
    call.heard.map(({ text }) => text),
    [long, message],
  )
  assert.equal(call.ended?.endReason, 'voicemail')
})

test('with voicemail ignored the result is reported and the conversation goes on', async () => {
  const call = callOut('ignore')
  await call.says(greeting, 6000)
  await call.pass(8000)
  assert.deepEqual(answeredBy(call), ['machine'])
  assert.equal(call.ended, undefined)
  assert.ok(call.heard.some(({ text }) => text === opening))
  await call.leaves()
})

test('an IVR is reported and spoken with', async () => {
  const call = callOut('hangup')
  await call.says('Para vendas, digite 1.', 2000)
  await call.pass(6000)
  assert.equal(answeredBy(call).at(-1), 'ivr')
  assert.equal(call.ended, undefined)
  assert.ok(call.heard.some(({ text }) => text === opening))
  await call.leaves()
})

test('without a result AMD reports unknown after 20 s', async () => {
  const call = callOut('hangup')
  await call.pass(21_000)
  assert.deepEqual(answeredBy(call), ['unknown'])
  assert.equal(call.ended, undefined)
  await call.leaves()
})

test('the call ends even if the message cannot be synthesised', async () => {
  const call = callOut('message', { saying: (text) => (text === message ? new Error('no voice') : undefined) })
  await call.says(greeting, 6000)
  await call.pass(20_000)
  assert.equal(call.ended?.endReason, 'voicemail')
})

test('a hang-up during the greeting ends the session', async () => {
  const call = callOut('message')
  await call.says(greeting, 6000)
  await call.pass(300)
  assert.deepEqual(await call.leaves(), { endReason: 'caller_hangup' })
  assert.deepEqual(call.heard, [])
})
