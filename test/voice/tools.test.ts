// Tools within a conversation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tool } from '../../src/voice/ports.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'
import { ok, uses } from './scripted-tool.ts'

const tool = (name: string, run: Tool['run']): Tool => ({ name, description: name, parameters: {}, run })

async function asks(script: Script): Promise<ScriptedCall> {
  const call = scriptedCall(script)
  await call.pass(2000)
  await call.says('Tem horário amanhã?', 1000)
  return call
}

test("a tool's result is in the answer and in the history", async () => {
  const call = await asks({
    reply: (_to, turn, history) => (turn === 0 ? [uses('agenda', { day: 2 })] : `Achei: ${history.at(-1)?.content}`),
    tools: [tool('agenda', async ({ args }) => ok(`às nove (${JSON.stringify(args)})`))],
  })
  await call.pass(6000)
  assert.equal(call.lines.at(-1)?.text, 'Achei: às nove ({"day":2})')
  assert.deepEqual(
    call.events.flatMap((event) => (event.type === 'tool' ? [[event.call.name, event.failed]] : [])),
    [['agenda', false]],
  )
  await call.leaves()
})

test('what is said before a tool is heard while it works, and is a sentence of its own', async () => {
  const call = await asks({
    reply: (_to, turn) => (turn === 0 ? [{ say: 'Vou ver' }, uses('agenda')] : 'Sim, às nove.'),
    tools: [tool('agenda', (_args, _context, signal) => call.clock.sleep(1500, signal).then(() => ok('às nove')))],
  })
  await call.pass(6000)
  assert.deepEqual(
    call.heard.slice(1).map(({ text }) => text),
    ['Vou ver', 'Sim, às nove.'],
  )
  assert.equal(call.lines.at(-1)?.text, 'Vou ver Sim, às nove.')
  assert.deepEqual(
    call.asked[1]?.slice(-2).map(({ content }) => content),
    ['Vou ver', 'às nove'],
    'the model knows what it has said',
  )
  await call.leaves()
})

test('a tool that runs for 10 s leaves no silence of 3 s', async () => {
  const call = await asks({
    reply: (_to, turn) => (turn === 0 ? [uses('agenda')] : 'Sim, às nove.'),
    tools: [tool('agenda', (_args, _context, signal) => call.clock.sleep(10_000, signal).then(() => ok('às nove')))],
  })
  await call.pass(16_000)
  assert.deepEqual(
    call.heard.slice(1).map(({ text }) => text),
    ['Um momento, por favor.', 'Só mais um instante, por favor.', 'Ainda estou verificando.', 'Sim, às nove.'],
  )
  await call.leaves()
})

test('a tool times out after 15 s, and the model knows', async () => {
  const call = await asks({
    reply: (_to, turn, history) => (turn === 0 ? [uses('agenda')] : `Nada: ${history.at(-1)?.content}`),
    tools: [tool('agenda', () => new Promise(() => {}))],
  })
  await call.pass(20_000)
  assert.match(call.lines.at(-1)?.text ?? '', /Nada: The tool timed out/)
  await call.leaves()
})

test('a failed tool and an unknown tool are results for the model', async () => {
  const call = await asks({
    reply: (_to, turn, history) =>
      turn === 0
        ? [uses('agenda'), uses('oracle')]
        : history
            .filter(({ role }) => role === 'tool')
            .map(({ content }) => content)
            .join(' | '),
    tools: [
      tool('agenda', async () => {
        throw new Error('closed')
      }),
    ],
  })
  await call.pass(12_000)
  assert.equal(call.lines.at(-1)?.text, 'The tool failed: closed | There is no tool named oracle.')
  await call.leaves()
})

test('a model that only calls tools must speak in its fifth step', async () => {
  let runs = 0
  const call = await asks({
    reply: () => [uses('agenda'), { say: 'Pronto.' }],
    modelMs: 50,
    tools: [tool('agenda', async () => ok(String(++runs)))],
  })
  await call.pass(15_000)
  assert.equal(runs, 4)
  assert.equal(call.asked.length, 5)
  await call.leaves()
})

test('a tool acts on the call through the transport', async () => {
  const call = await asks({
    reply: (_to, turn) => (turn === 0 ? [uses('transfer')] : 'Transferindo.'),
    tools: [tool('transfer', async (_args, { act }) => ok((await act({ do: 'transfer', to: '+5511' })).status))],
  })
  await call.pass(4000)
  assert.deepEqual(call.acts, [{ do: 'transfer', to: '+5511' }])
  await call.leaves()
})
