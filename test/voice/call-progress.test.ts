// An outbound call before anybody has answered: the agent waits while it rings, ends calls that nobody will answer, and tells people from
// voicemails after a tone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST_LEVEL } from '../../src/simulation/scripted-stt.ts'
import type { Vad } from '../../src/voice/ports.ts'
import type { TurnRules } from '../../src/voice/turn/rules.ts'
import { type ScriptedCall, scriptedCall } from './scripted-call.ts'
import { scriptedVad } from './scripted-edges.ts'

const opening = 'Olá, aqui é a Ana, da clínica.'
const message = 'Aqui é a Ana. Ligo de novo amanhã.'
const actions = ['hangup', 'message', 'ignore'] as const

/** Like the script's VAD, but a tone does not count as a voice. */
const vad: Vad = {
  open(rateHz) {
    const stream = scriptedVad.open(rateHz)
    const voiceOf = (pcm: Int16Array) => pcm.map((sample) => (sample >= FIRST_LEVEL ? sample : 0))
    return { push: (pcm) => stream.push(voiceOf(pcm)), close: () => stream.close() }
  },
}

const callOut = (voicemail: TurnRules['voicemail'], opens = true): ScriptedCall =>
  scriptedCall({
    opening: opens ? opening : null,
    vad,
    reply: () => 'Certo.',
    rules: { voicemail },
    options: { openingDelayMs: 1200, amd: { message } },
  })
const answeredBy = (call: ScriptedCall) =>
  call.events.flatMap((event) => (event.type === 'amd-result' ? [event.by] : []))
const openings = (call: ScriptedCall) => call.heard.filter(({ text }) => text === opening)

async function rings(call: ScriptedCall, times: number): Promise<void> {
  for (let ring = 0; ring < times; ring++) {
    await call.beeps(425, 1000)
    await call.pass(4000)
  }
}

test('the agent is silent while it rings, and greets whoever answers', async () => {
  for (const action of actions) {
    const call = callOut(action)
    await rings(call, 6)
    assert.deepEqual(call.heard, [], action)
    await call.says('Alô?', 500)
    const hello = call.now
    await call.pass(6000)
    assert.deepEqual(answeredBy(call), ['human'])
    const [said] = openings(call)
    assert.ok(said && said.from - hello < 1500, `${action}: ${(said?.from ?? 0) - hello} ms after the hello`)
    assert.equal(call.ended, undefined)
    await call.leaves()
  }
})

test('an opening into the silence before the first ring is said again to the person', async () => {
  const call = callOut('hangup')
  await call.pass(3000)
  assert.equal(openings(call).length, 1)
  await rings(call, 2)
  assert.equal(openings(call).length, 1)
  await call.says('Alô?', 500)
  await call.pass(6000)
  assert.equal(openings(call).length, 2)
  assert.equal(openings(call).at(-1)?.isCut, false)
  await call.leaves()
})

test('the opening stops when a ring begins in it', async () => {
  const call = callOut('hangup')
  await call.pass(1500)
  await rings(call, 2)
  assert.deepEqual(
    openings(call).map(({ isCut }) => isCut),
    [true],
  )
  await call.says('Alô?', 500)
  await call.pass(6000)
  assert.equal(openings(call).length, 2)
  await call.leaves()
})

test('an agent that does not speak first neither reminds nor hangs up while it rings', async () => {
  const call = callOut('hangup', false)
  await rings(call, 9)
  assert.deepEqual([call.heard, call.ended], [[], undefined])
  await call.says('Alô?', 500)
  await call.pass(3000)
  assert.deepEqual(
    call.heard.map(({ text }) => text),
    ['Certo.'],
  )
  assert.equal(call.ended, undefined)
  await call.leaves()
})

test('if nobody answers within a minute, the agent speaks', async () => {
  const call = callOut('hangup')
  await rings(call, 12)
  assert.deepEqual([answeredBy(call), call.heard], [[], []])
  await rings(call, 1)
  assert.deepEqual(answeredBy(call), ['unknown'])
  assert.equal(openings(call).length, 1)
  await call.leaves()
})

test('when the ringing stops without a voice, the agent speaks', async () => {
  const call = callOut('hangup')
  await rings(call, 2)
  await call.pass(4000)
  assert.equal(openings(call).length, 1)
  await call.leaves()
})

test('SIT, a fax machine and a lasting busy tone end the call, whatever is done about voicemails', async () => {
  for (const action of actions) {
    const refused = callOut(action)
    for (const hz of [950, 1400, 1800]) await refused.beeps(hz, 330)
    await refused.pass(500)
    assert.equal(refused.ended?.endReason, 'number_not_in_service')

    const fax = callOut(action)
    await fax.pass(500)
    await fax.beeps(2100, 3000)
    assert.equal(fax.ended?.endReason, 'fax')

    const busy = callOut(action)
    for (let i = 0; i < 14; i++) {
      await busy.beeps(425, 250)
      await busy.pass(240)
    }
    assert.equal(busy.ended?.endReason, 'busy')
    for (const call of [refused, fax, busy]) assert.deepEqual(call.heard, [], action)
  }
})

test('a busy tone that lasts after a person has spoken is their hang-up', async () => {
  const call = callOut('ignore')
  await call.says('Alô?', 500)
  await call.pass(4000)
  for (let i = 0; i < 14; i++) {
    await call.beeps(425, 250)
    await call.pass(240)
  }
  assert.equal(call.ended?.endReason, 'caller_hangup')
})

test('a tone alone ends the call only after 3 s in which nobody speaks', async () => {
  const call = callOut('hangup')
  await call.says('Oi, é o João.', 1300)
  await call.pass(900)
  await call.beeps(1000, 400)
  const tone = call.now
  await call.pass(5000)
  assert.equal(call.ended?.endReason, 'voicemail')
  assert.ok(Math.abs((call.ended?.at ?? 0) - tone - 3000) <= 150, `${(call.ended?.at ?? 0) - tone} ms`)
})

test('a person beside something that beeps says hello again, and is greeted', async () => {
  for (const [action, waits] of [
    ['hangup', 700],
    ['hangup', 2300],
    ['message', 700],
  ] as const) {
    const call = callOut(action)
    await call.says('Alô?', 500)
    await call.pass(700)
    await call.beeps(1000, 400)
    await call.pass(waits)
    await call.says('Alô?', 500)
    await call.pass(6000)
    assert.deepEqual(answeredBy(call), ['human', 'machine', 'human'], `${action} ${waits}`)
    assert.equal(openings(call).at(-1)?.isCut, false)
    assert.equal(call.ended, undefined)
    await call.leaves()
  }
})
