// The built-in function `collect` in a call: dictated input reaches the model as a checked value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectationFromHistory } from '../../src/dictation/collect-history.ts'
import { collectTool } from '../../src/dictation/collect-tool.ts'
import { collectingLlm } from '../../src/dictation/collecting-llm.ts'
import type { Message } from '../../src/voice/ports.ts'
import { type ScriptedCall, scriptedCall } from './scripted-call.ts'
import type { Reply } from './scripted-edges.ts'
import { uses } from './scripted-tool.ts'

const resultIn = (history: readonly Message[]) => history.findLast(({ role }) => role === 'tool')?.content

/** The model collects a CPF, then repeats the value. */
const asksForCpf: Reply = (_to, _turn, history) => {
  const result = resultIn(history)
  return result === undefined ? [uses('collect', { kind: 'cpf' })] : `Recebi ${JSON.parse(result).value}.`
}

function cpfCall(reply: Reply = asksForCpf): ScriptedCall {
  return scriptedCall({
    reply,
    wrap: collectingLlm,
    tools: [collectTool({ language: 'pt-BR', today: () => '2026-11-16' })],
  })
}

async function turn(call: ScriptedCall, text: string): Promise<void> {
  await call.says(text, 1200)
  await call.pass(9000)
}

async function begun(reply?: Reply): Promise<ScriptedCall> {
  const call = cpfCall(reply)
  await call.pass(2000)
  await turn(call, 'Quero a segunda via do boleto.')
  assert.equal(call.lines.at(-1)?.text, 'Qual é o seu CPF?')
  return call
}

test('a CPF dictated in three groups, with a correction, reaches the model as a checked value', async () => {
  const call = await begun()
  await turn(call, 'Cinco dois nove.')
  assert.equal(call.lines.at(-1)?.text, 'Até agora anotei 5 2 9. Pode continuar?')
  await turn(call, 'Nove oito dois, dois quatro sete.')
  await turn(call, 'Três cinco.')
  assert.match(call.lines.at(-1)?.text ?? '', /o CPF não confere/)
  await turn(call, '529 982 247 25')
  assert.equal(call.lines.at(-1)?.text, 'Anotei 5 2 9, 9 8 2, 2 4 7, traço 2 5. Está certo?')
  const before = call.asked.length
  await turn(call, 'Não, é 123 456 789 09.')
  assert.equal(call.lines.at(-1)?.text, 'Corrigi: 1 2 3, 4 5 meia, 7 8 9, traço 0 9. Agora está certo?')
  assert.equal(call.asked.length, before, 'the model is not asked while the value is collected')
  await turn(call, 'Agora sim.')
  assert.equal(call.lines.at(-1)?.text, 'Recebi 12345678909.')
  await call.leaves()
})

test('keypad digits are part of the number', async () => {
  const call = await begun()
  await turn(call, 'Cinco dois nove.')
  await call.presses('98224725#')
  await call.pass(9000)
  assert.equal(call.lines.at(-1)?.text, 'Anotei 5 2 9, 9 8 2, 2 4 7, traço 2 5. Está certo?')
  await turn(call, 'Sim.')
  assert.equal(call.lines.at(-1)?.text, 'Recebi 52998224725.')
  await call.leaves()
})

test('a reminder between two groups does not lose the first', async () => {
  const call = await begun()
  await turn(call, 'Cinco dois nove, nove oito dois.')
  await call.pass(9000)
  assert.match(call.lines.at(-1)?.text ?? '', /ainda está aí/)
  await turn(call, 'Dois quatro sete, dois cinco.')
  assert.match(call.lines.at(-1)?.text ?? '', /^Anotei 5 2 9, 9 8 2, 2 4 7, traço 2 5/)
  await call.leaves()
})

test('an interrupted confirmation keeps the value', async () => {
  const call = await begun()
  await call.says('529 982 247 25', 1200)
  await call.pass(2200)
  await turn(call, 'Isso, isso mesmo, está certo.')
  assert.equal(call.lines.at(-1)?.text, 'Recebi 52998224725.')
  await call.leaves()
})

test('a caller who does not have it is handed back to the model with the reason', async () => {
  const call = await begun((_to, _turn, history) => {
    const result = resultIn(history)
    return result === undefined ? [uses('collect', { kind: 'cpf' })] : `Motivo: ${JSON.parse(result).reason}.`
  })
  await turn(call, 'Não tenho aqui comigo.')
  assert.equal(call.lines.at(-1)?.text, 'Motivo: refused.')
  await call.leaves()
})

test('the expectation follows from the history that the model would get', async () => {
  const seen: (string | null)[] = []
  const call = scriptedCall({
    reply: asksForCpf,
    wrap: (llm) => {
      const collecting = collectingLlm(llm)
      return {
        ...collecting,
        reply(history, ...rest) {
          seen.push(expectationFromHistory(history))
          return collecting.reply(history, ...rest)
        },
      }
    },
    tools: [collectTool({ language: 'pt-BR', today: () => '2026-11-16' })],
  })
  await call.pass(2000)
  await turn(call, 'Quero a segunda via.')
  await turn(call, '529 982.')
  await turn(call, '247 25.')
  await turn(call, 'Sim.')
  assert.deepEqual(
    seen.filter((each, i) => each !== seen[i - 1]),
    [null, 'cpf', 'yes-no', null],
  )
  await call.leaves()
})

/** Time from the caller's last sound to the agent's first. */
async function gapAfter(call: ScriptedCall, text: string): Promise<number> {
  await call.says(text, 1200)
  const endedAt = call.now
  const before = call.heard.length
  await call.pass(9000)
  return (call.heard[before]?.from ?? Number.POSITIVE_INFINITY) - endedAt
}

test('the last group of a CPF ends the turn at once, an earlier one does not', async () => {
  const call = await begun()
  const first = await gapAfter(call, 'Cinco dois nove, nove oito dois.')
  const last = await gapAfter(call, 'Dois quatro sete, dois cinco.')
  assert.match(call.lines.at(-1)?.text ?? '', /^Anotei/)
  assert.ok(last < 800, `the last group was answered after ${last} ms`)
  assert.ok(first > last + 500, `the first group was answered after ${first} ms, the last after ${last} ms`)
  await call.leaves()
})
