// Tools that end or transfer the call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedFor, heardOf, ok, slowTool, uses, usesOnce } from './scripted-tool.ts'

const goodbye = 'Obrigada por ligar, tenha um ótimo dia!'
const ends = { ...ok('done'), endsCall: 'agent_ended' } as const

test("the call ends when the tool's goodbye was played, without another model step", async () => {
  const { call } = await askedFor({ result: { ...ends, say: goodbye } })
  await call.pass(6000)
  assert.deepEqual(heardOf(call), [goodbye])
  assert.equal(call.heard.at(-1)?.isCut, false)
  assert.deepEqual(call.ended, { endReason: 'agent_ended', at: call.heard.at(-1)?.to })
  assert.equal(call.asked.length, 1)
  assert.equal(call.lines.at(-1)?.text, goodbye)
})

test("the model's goodbye before it ends the call is played to its end", async () => {
  const { call } = await askedFor({ result: ends }, { reply: () => [{ say: goodbye }, uses('agenda')] })
  await call.pass(6000)
  assert.deepEqual(call.ended, { endReason: 'agent_ended', at: call.heard.at(-1)?.to })
  assert.deepEqual([heardOf(call), call.heard.at(-1)?.isCut], [[goodbye], false])
})

test('speech over the goodbye does not interrupt it and is not answered', async () => {
  const { call } = await askedFor({ result: { ...ends, say: goodbye } })
  await call.pass(1300)
  await call.says('Espera, não desligue ainda.', 1500)
  await call.pass(6000)
  assert.equal(call.heard.at(-1)?.isCut, false)
  assert.deepEqual([call.ended?.endReason, call.asked.length], ['agent_ended', 1])
})

test('a tool that ends the call without words ends it at once', async () => {
  const { call } = await askedFor({ result: { ...ends, endsCall: 'rejected' } })
  await call.pass(3000)
  assert.deepEqual([call.ended?.endReason, heardOf(call)], ['rejected', []])
})

test('a complete message can end the call, and a failed one too', async () => {
  for (const result of [ok('x'), new Error('closed')]) {
    const message = { text: goodbye, endsCall: true }
    const { call } = await askedFor({ result, complete: message, failed: message })
    await call.pass(6000)
    assert.deepEqual([call.ended?.endReason, heardOf(call), call.asked.length], ['agent_ended', [goodbye], 1])
  }
})

test('a system message that ends the call leaves the last word to the model', async () => {
  const { call } = await askedFor(
    { complete: { text: 'Diga o horário e despeça-se.', role: 'system', endsCall: true } },
    { reply: usesOnce(() => 'Às nove. Até lá!') },
  )
  await call.pass(7000)
  assert.equal(call.lines.at(-1)?.text, 'Às nove. Até lá!')
  assert.deepEqual([call.ended?.endReason, call.ended?.at], ['agent_ended', call.heard.at(-1)?.to])
})

test('all tool calls of one step run before the call ends', async () => {
  const text = slowTool(() => call.clock, { name: 'sms', ms: 500 })
  const end = slowTool(() => call.clock, { result: { ...ends, say: goodbye } })
  const { call } = await askedFor({}, { tools: [end, text], reply: () => [uses('agenda'), uses('sms')] })
  await call.pass(7000)
  assert.equal(text.runs.length, 1)
  assert.equal(call.ended?.endReason, 'agent_ended')
})

test('a late tool that ends the call does so when the floor is free', async () => {
  const { call } = await askedFor(
    { ms: 9000, result: { ...ends, say: goodbye } },
    { reply: usesOnce(() => 'Ainda vejo.') },
  )
  await call.pass(1500)
  await call.says('E na quarta?', 900)
  await call.pass(15_000)
  assert.equal(call.heard.at(-1)?.text, goodbye)
  assert.deepEqual(call.ended, { endReason: 'agent_ended', at: call.heard.at(-1)?.to })
})

test('noise does not delay the end of a call by a tool', async () => {
  const { call } = await askedFor({ ms: 1200, result: { ...ends, say: goodbye } })
  await call.pass(1400)
  call.begins('', 3000)
  await call.pass(8000)
  assert.deepEqual([call.heard.at(-1)?.text, call.heard.at(-1)?.isCut], [goodbye, false])
  assert.equal(call.ended?.endReason, 'agent_ended')
})

test('after a transfer the agent is silent: no answer, no reminder', async () => {
  const { call } = await askedFor({
    ms: 2000,
    result: { ...ok('connected'), isTransferred: true },
    start: { text: 'Vou passar.' },
  })
  await call.pass(5000)
  await call.says('Alô, é do financeiro?', 1200)
  await call.presses('12#')
  await call.pass(60_000)
  assert.deepEqual(heardOf(call), ['Vou passar.'])
  assert.deepEqual([call.ended, call.asked.length], [undefined, 1])
  const { endReason } = await call.leaves()
  assert.equal(endReason, 'caller_hangup')
})

test('speech under way when a transfer succeeds is played to its end', async () => {
  const words = 'Vou passar a ligação para o financeiro agora mesmo.'
  const { call } = await askedFor(
    { result: { ...ok('connected'), isTransferred: true } },
    { reply: () => [{ say: words }, uses('agenda')] },
  )
  await call.pass(20_000)
  assert.deepEqual([heardOf(call), call.heard.at(-1)?.isCut], [[words], false])
  await call.leaves()
})

test('the maximum duration applies to a transferred call', async () => {
  const { call } = await askedFor(
    { result: { ...ok('connected'), isTransferred: true } },
    { rules: { maxDurationMs: 90_000 } },
  )
  await call.pass(100_000)
  assert.deepEqual([call.ended, heardOf(call)], [{ endReason: 'max_duration', at: 90_000 }, []])
})

test('a failed transfer is a tool result for the model', async () => {
  const { call } = await askedFor({ result: { text: 'busy', failed: true } })
  await call.pass(5000)
  assert.deepEqual(heardOf(call), ['Achei: busy.'])
  await call.leaves()
})
