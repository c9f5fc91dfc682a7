// Nobody speaks: reminders, the silence timeout, and the maximum duration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedCall } from './scripted-call.ts'

const OPENING_ENDS = 'Olá, sou a Ana.'.length * 60

test('the first reminder comes 8 s after the agent has finished, the second 8 s after the first', async () => {
  const call = scriptedCall()
  await call.pass(25_000)
  const [, first, second, third] = call.heard
  assert.equal(first?.from, OPENING_ENDS + 8000)
  assert.equal(second?.from, (first?.to ?? 0) + 8000)
  assert.notEqual(first?.text, second?.text)
  assert.equal(third, undefined, 'two are enough')
  await call.leaves()
})

test('30 s without a word end the call, with or without reminders', async () => {
  for (const idleReminderMs of [8000, 0]) {
    const call = scriptedCall({ rules: { idleReminderMs } })
    await call.pass(40_000)
    assert.deepEqual(call.ended, { endReason: 'silence_timeout', at: OPENING_ENDS + 30_000 })
  }
})

test('the silence time-out does not cut off a reminder', async () => {
  const call = scriptedCall({ rules: { silenceHangupMs: 8200 } })
  await call.pass(20_000)
  const reminder = call.heard.at(-1)
  assert.equal(reminder?.isCut, false)
  assert.deepEqual(call.ended, { endReason: 'silence_timeout', at: reminder?.to })
})

test('after an answer to a reminder the count starts anew', async () => {
  const call = scriptedCall({ reply: () => 'Que bom.' })
  await call.pass(11_000)
  await call.says('Estou aqui.', 900)
  await call.pass(25_000)
  assert.equal(call.ended, undefined)
  assert.deepEqual(
    call.heard.map(({ text }) => text),
    ['Olá, sou a Ana.', 'Você ainda está aí?', 'Que bom.', 'Você ainda está aí?', 'Alô? Ainda posso ajudar?'],
  )
  await call.leaves()
})

test('noise delays a reminder but not the silence time-out', async () => {
  const call = scriptedCall({ rules: { maxReminders: 1 } })
  for (let i = 0; i < 8; i++) {
    await call.pass(4000)
    await call.says('', 300)
  }
  assert.equal(call.ended?.endReason, 'silence_timeout')
  assert.ok((call.ended?.at ?? 0) <= OPENING_ENDS + 31_000)
  assert.deepEqual(call.record(), ['agent: Olá, sou a Ana.'])
})

test('there is no reminder while the agent thinks or a tool runs', async () => {
  const call = scriptedCall({
    rules: { idleReminderMs: 2000, fillerMs: 0 },
    reply: (_, turn) => (turn === 0 ? [{ call: { id: 'a', name: 'look', args: {} } }] : 'Achei.'),
    tools: [
      {
        name: 'look',
        description: '',
        parameters: {},
        run: (_args, _context, signal) => call.clock.sleep(9000, signal).then(() => ({ text: 'x', failed: false })),
      },
    ],
  })
  await call.pass(1500)
  await call.says('Procure.', 700)
  await call.pass(12_000)
  assert.deepEqual(
    call.heard.map(({ text }) => text),
    ['Olá, sou a Ana.', 'Achei.'],
  )
  await call.leaves()
})

test('speech interrupts a reminder', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(OPENING_ENDS + 8100)
  await call.says('Sim, só um pouco de paciência.', 1500)
  await call.pass(3000)
  assert.ok(call.heard[1]?.isCut)
  assert.equal(call.lines.at(-1)?.text, 'Certo.')
  await call.leaves()
})

test('the caller is warned half a minute before the maximum duration ends the call', async () => {
  const call = scriptedCall({ rules: { maxDurationMs: 90_000, idleReminderMs: 0, silenceHangupMs: 600_000 } })
  await call.pass(100_000)
  assert.equal(call.heard[1]?.from, 60_000)
  assert.match(call.heard[1]?.text ?? '', /meio minuto/)
  assert.deepEqual(call.ended, { endReason: 'max_duration', at: 90_000 })
})

test('the warning waits until the agent has answered', async () => {
  const answer = 'Uma resposta bem comprida, que dura alguns segundos a mais do que o tempo que falta.'
  const call = scriptedCall({
    reply: () => answer,
    rules: { maxDurationMs: 90_000, idleReminderMs: 0, silenceHangupMs: 600_000 },
  })
  await call.pass(57_000)
  await call.says('Uma pergunta.', 900)
  await call.pass(15_000)
  const [, replied, warned] = call.heard
  assert.deepEqual([replied?.text, replied?.isCut], [answer, false])
  assert.equal(warned?.from, replied?.to)
  await call.leaves()
})
