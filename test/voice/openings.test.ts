// Who speaks first, and what happens if both do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedCall } from './scripted-call.ts'

const opening = 'Olá, aqui é a Ana, da clínica. Em que posso ajudar?'
const calledOut = { opening, options: { openingDelayMs: 1200 }, reply: () => 'Certo.' }

test('on an outbound call without a hello the opening starts after 1.2 s', async () => {
  const call = scriptedCall(calledOut)
  await call.pass(6000)
  assert.equal(call.heard[0]?.from, 1200)
  await call.leaves()
})

test('on an outbound call the opening follows the hello', async () => {
  const call = scriptedCall(calledOut)
  await call.says('Alô?', 400)
  await call.pass(8000)
  const [first] = call.heard
  assert.ok(first && first.from < 1000, `at ${first?.from}`)
  assert.deepEqual(call.record(), ['caller: Alô?', `agent: ${opening}`])
  await call.leaves()
})

test('a hello across the 1.2 s is not spoken over', async () => {
  const call = scriptedCall(calledOut)
  await call.pass(900)
  await call.says('Alô, quem fala?', 900)
  const quietAt = call.now
  await call.pass(8000)
  assert.ok((call.heard[0]?.from ?? 0) >= quietAt)
  assert.deepEqual(call.record(), ['caller: Alô, quem fala?', `agent: ${opening}`])
  await call.leaves()
})

test('noise right after the answer does not suppress the opening', async () => {
  const call = scriptedCall(calledOut)
  await call.pass(1000)
  await call.says('', 400)
  await call.pass(8000)
  assert.deepEqual(call.record(), [`agent: ${opening}`])
  await call.leaves()
})

test('the opening can be interrupted, and is not said again', async () => {
  const call = scriptedCall({ opening, reply: () => 'Certo.' })
  await call.pass(1000)
  await call.says('Quero marcar uma consulta.', 1500)
  await call.pass(5000)
  assert.ok(call.heard[0]?.isCut)
  assert.deepEqual(call.questions(), ['Quero marcar uma consulta.'])
  const [first] = call.lines
  assert.ok(first?.isCut && opening.startsWith(first.text))
  assert.equal(call.heard.length, 2)
  await call.leaves()
})

test('an opening that is not audible yet waits for a caller who spoke first, then is said', async () => {
  const call = scriptedCall({ opening, saying: (text, times) => (text === opening && times === 0 ? null : undefined) })
  await call.says('Alô?', 400)
  await call.pass(8000)
  assert.deepEqual(call.record(), ['caller: Alô?', `agent: ${opening}`])
  await call.leaves()
})

test('a generated opening is said', async () => {
  const call = scriptedCall({ opening, options: { generatesOpening: true }, reply: () => 'Bom dia, quem fala?' })
  await call.pass(3000)
  assert.deepEqual(call.record(), ['agent: Bom dia, quem fala?'])
  assert.deepEqual(
    call.asked[0]?.map(({ role }) => role),
    ['system'],
  )
  await call.leaves()
})

test('the fixed opening replaces a generated one that fails', async () => {
  const call = scriptedCall({ opening, options: { generatesOpening: true }, reply: () => new Error('down') })
  await call.pass(5000)
  assert.deepEqual(call.record(), [`agent: ${opening}`])
  await call.leaves()
})

test('the fixed opening replaces a generated one that takes longer than 3 s', async () => {
  const call = scriptedCall({ opening, options: { generatesOpening: true }, reply: () => null })
  await call.pass(8000)
  assert.equal(call.heard[0]?.from, 3000)
  assert.deepEqual(call.record(), [`agent: ${opening}`])
  await call.leaves()
})

test('a silent caller who should speak first is reminded', async () => {
  const call = scriptedCall({ opening: null })
  await call.pass(7900)
  assert.equal(call.heard.length, 0)
  await call.pass(2000)
  assert.equal(call.heard[0]?.from, 8000)
  await call.leaves()
})
