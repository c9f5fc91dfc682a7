// A model, a voice or a recognizer fails or stalls: the caller is never left in silence, and the call goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfConversation } from '../../src/phone/endings.ts'
import type { Vad } from '../../src/voice/ports.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'
import { scriptedVad } from './scripted-edges.ts'

const apology = 'Desculpe, tive um problema. Pode repetir, por favor?'

async function asks(script: Script, text = 'Que horas abre?'): Promise<ScriptedCall> {
  const call = scriptedCall(script)
  await call.pass(2000)
  await call.says(text, 1000)
  return call
}
const thoughtAt = (call: ScriptedCall) => call.events.findLast((event) => event.type === 'turn')?.repliedAt
const troubles = (call: ScriptedCall) => call.events.flatMap((event) => (event.type === 'error' ? [event.stage] : []))

test('a stalled model leads to a filler before 3 s have passed since the last word, another after 5 s and an apology after 12 s', async () => {
  const call = await asks({ reply: () => null })
  await call.pass(450)
  const from = call.now
  await call.pass(20_000)
  const [, first, second, sorry] = call.heard
  const near = (at: number | undefined, ms: number) => assert.ok(Math.abs((at ?? 0) - from - ms) <= 60, `${at} ${from}`)
  near(first?.from, 3000 - 500 - 400)
  near(second?.from, 3000 - 500 - 400 + 5000)
  near(sorry?.from, 12_000)
  assert.notEqual(first?.text, second?.text)
  assert.equal(sorry?.text, apology)
  await call.leaves()
})

test('after a slow recogniser the filler comes at once: the caller has waited already', async () => {
  const call = await asks({ reply: () => null, recognitionMs: 3100 })
  const from = call.now
  await call.pass(6000)
  const [, filler] = call.heard
  const waitedMs = (filler?.from ?? 0) - from
  assert.ok(waitedMs > 3100 && waitedMs < 4500, `${waitedMs} ms`)
  await call.leaves()
})

test('a slow reply follows the filler, and both are stored as heard', async () => {
  const call = await asks({ reply: () => 'Às oito.', modelMs: 3000 })
  await call.pass(10_000)
  const [, filler, reply] = call.heard
  assert.equal(reply?.from, filler?.to, 'not over it')
  assert.equal(call.lines.at(-1)?.text, 'Um momento, por favor. Às oito.')
  await call.leaves()
})

test('speech over a filler interrupts it, and everything said is answered', async () => {
  const call = await asks({ reply: (_, turn) => (turn === 0 ? null : 'Às oito.') })
  await call.pass(3700)
  assert.match(call.heard.at(-1)?.text ?? '', /momento/)
  await call.says('Você me ouviu?', 900)
  await call.pass(4000)
  assert.ok(call.heard[1]?.isCut)
  assert.equal(call.heard[2]?.text, 'Às oito.')
  assert.equal(call.questions().at(-1), 'Que horas abre? Você me ouviu?')
  await call.leaves()
})

test('when the model fails mid-sentence the complete sentences are played, then an apology', async () => {
  const call = await asks({ reply: () => [{ say: 'Abrimos às oito. E fech' }, 500, new Error('down')] })
  await call.pass(8000)
  assert.deepEqual(call.record().slice(2), ['agent: Abrimos às oito.…', `agent: ${apology}`])
  assert.deepEqual(troubles(call), ['model'])
  await call.leaves()
})

test('repeated failures mid-sentence end the call', async () => {
  const call = scriptedCall({ reply: () => [{ say: 'Abrimos às oito. E fech' }, new Error('down')] })
  await call.pass(2000)
  for (let i = 0; i < 3; i++) {
    await call.says('Que horas abre?', 1000)
    await call.pass(9000)
  }
  assert.equal(call.ended?.endReason, 'llm_error')
})

test('an empty reply leads to an apology', async () => {
  const call = await asks({ reply: () => '' })
  await call.pass(6000)
  assert.equal(call.lines.at(-1)?.text, apology)
  await call.leaves()
})

test('a played reply resets the failure count', async () => {
  const call = scriptedCall({ reply: (_, turn) => (turn === 2 ? 'Às oito.' : new Error('down')) })
  await call.pass(2000)
  for (let i = 0; i < 5; i++) {
    await call.says('Que horas abre?', 1000)
    await call.pass(6000)
  }
  assert.equal(call.ended, undefined)
  await call.leaves()
})

test('the goodbye cannot be interrupted, then the call ends', async () => {
  const call = scriptedCall({ reply: () => new Error('down'), rules: { maxFailures: 1 } })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(1500)
  await call.says('Espera, não desligue.', 1200)
  await call.pass(6000)
  assert.equal(call.heard.at(-1)?.isCut, false)
  assert.match(call.heard.at(-1)?.text ?? '', /ligue mais tarde/)
  assert.equal(call.ended?.endReason, 'llm_error')
})

test('failed synthesis is retried without the caller noticing', async () => {
  const call = await asks({
    reply: () => 'Abrimos às oito.',
    saying: (text, times) => (text.startsWith('Abrimos') && times === 0 ? new Error('busy') : undefined),
  })
  await call.pass(5000)
  assert.deepEqual(call.record().slice(2), ['agent: Abrimos às oito.'])
  assert.deepEqual(troubles(call), ['synthesis'])
  await call.leaves()
})

test('synthesis that breaks off continues at the word it stopped at', async () => {
  const text = 'Abrimos às oito da manhã e fechamos às seis da tarde.'
  const call = await asks({ reply: () => text, saying: (said) => (said === text ? 1500 : undefined) })
  await call.pass(8000)
  assert.deepEqual(call.record().slice(2), [`agent: ${text}`])
  const sound = call.lastHeard('Abrimos')
  const wholeMs = text.length * 60
  const lasted = (sound?.to ?? 0) - (sound?.from ?? 0)
  assert.ok(lasted >= wholeMs - 200 && lasted <= wholeMs + 600, `${lasted} ms instead of ${wholeMs}`)
  await call.leaves()
})

test('stalled synthesis is retried after 4 s', async () => {
  const call = await asks({
    reply: () => 'Abrimos às oito.',
    rules: { fillerMs: 0 },
    saying: (text, times) => (text.startsWith('Abrimos') && times === 0 ? null : undefined),
  })
  await call.pass(8000)
  const turn = thoughtAt(call) ?? 0
  assert.ok(Math.abs((call.lastHeard('Abrimos')?.from ?? 0) - turn - 300 - 4000) <= 20)
  await call.leaves()
})

test('a sentence that cannot be synthesised leads to an apology', async () => {
  const call = await asks({
    reply: () => 'Abrimos às oito.',
    saying: (text) => (text.startsWith('Abrimos') ? new Error('no such sound') : undefined),
  })
  await call.pass(8000)
  assert.deepEqual(call.record().slice(2), [`agent: ${apology}`])
  assert.deepEqual(troubles(call), ['synthesis', 'synthesis'])
  await call.leaves()
})

test('without speech synthesis the call ends with its reason', async () => {
  const call = scriptedCall({ saying: () => new Error('no voice') })
  await call.pass(1000)
  assert.equal(call.ended?.endReason, 'tts_error')
})

test('failed recognition is retried with the same audio', async () => {
  const call = await asks({ reply: () => 'Às oito.', hearing: (_, times) => (times === 1 ? new Error('busy') : 200) })
  await call.pass(5000)
  assert.deepEqual(call.recognized, ['Que horas abre?', 'Que horas abre?'])
  assert.equal(call.lines.at(-1)?.text, 'Às oito.')
  assert.deepEqual(troubles(call), ['recognition'])
  await call.leaves()
})

test('a caller whose speech could not be transcribed is asked to repeat', async () => {
  const call = await asks({ hearing: () => new Error('down') })
  await call.pass(5000)
  assert.match(call.lines.at(-1)?.text ?? '', /não ouvi bem/)
  assert.equal(call.asked.length, 0)
  await call.leaves()
})

test('recognition times out after 8 s', async () => {
  const call = await asks({ hearing: () => null })
  const quietAt = call.now
  await call.pass(12_000)
  const sorry = call.lastHeard('Desculpe, não ouvi')
  assert.ok(sorry && Math.abs(sorry.from - quietAt - 250 - 8000) <= 60, `${(sorry?.from ?? 0) - quietAt}`)
  await call.leaves()
})

test('after three failed recognitions the call ends', async () => {
  const call = scriptedCall({ hearing: () => new Error('down') })
  await call.pass(2000)
  for (let i = 0; i < 3; i++) {
    await call.says('Alguém aí?', 800)
    await call.pass(7000)
  }
  assert.equal(call.ended?.endReason, 'stt_error')
})

test('failed voice activity detection is reported and ends the call as stt_error, not as a hang-up', async () => {
  let pushed = 0
  const vad: Vad = {
    open: (rateHz) => {
      const stream = scriptedVad.open(rateHz)
      return { ...stream, push: (pcm) => (++pushed > 100 ? Promise.reject(new Error('gone')) : stream.push(pcm)) }
    },
  }
  const call = scriptedCall({ vad })
  await call.pass(5000)
  assert.equal(call.ended?.endReason, 'stt_error')
  assert.deepEqual(troubles(call), ['vad'])
  const { status, hangupBy } = endOfConversation({ endReason: call.ended.endReason })
  assert.deepEqual({ status, hangupBy }, { status: 'failed', hangupBy: 'system' })
})

test('a hang-up reports no error', async () => {
  const call = scriptedCall()
  await call.pass(2000)
  assert.equal((await call.leaves()).endReason, 'caller_hangup')
  assert.deepEqual(troubles(call), [])
})
