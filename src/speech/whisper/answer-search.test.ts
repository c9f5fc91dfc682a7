// The search for short answers, with a table in place of the decoder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTree, findAnswer } from './answer-search.ts'
import type { DecoderState } from './decoder.ts'
import { answersFor } from './short-answers.ts'

/** One token per letter; 0 is the end token. */
const END = 0
const SIZE = 200
const encode = (text: string) => [...text.trim()].map((letter) => (letter.codePointAt(0) as number) % SIZE)
const mask = new Uint8Array(SIZE)
const tokens = { end: END, suppressed: mask, suppressedFirst: mask }
const state = {} as DecoderState

/** A model that would say one of `texts`, with probabilities in proportion to their weights. */
function speaking(texts: Readonly<Record<string, number>>) {
  const row = (said: string) => {
    const out = new Float32Array(SIZE).fill(-20)
    for (const [text, weight] of Object.entries(texts)) {
      if (!text.startsWith(said)) continue
      const token = text === said ? END : (encode(text)[said.length] as number)
      out[token] = Math.log(Math.exp(out[token] as number) + weight)
    }
    return out
  }
  let live: string[] = ['']
  const widths: number[] = []
  const decoder = {
    async step(_: DecoderState, chosen: readonly number[], from: readonly number[]) {
      widths.push(chosen.length)
      const letters = [...new Set(Object.keys(texts).join(''))]
      live = chosen.map((token, i) => {
        const letter = letters.find((one) => encode(one)[0] === token) ?? '~'
        return `${live[from[i] as number]}${letter}`
      })
      return { state, rows: live.map(row) }
    },
  }
  return { decoder, first: row(''), widths }
}

const search = (answers: readonly string[], texts: Readonly<Record<string, number>>, isCanceled = () => false) => {
  const { decoder, first, widths } = speaking(texts)
  const found = findAnswer({ tree: answerTree(answers, encode), decoder, tokens, isCanceled }, state, first)
  return found.then((answer) => ({ answer, widths }))
}

test('the likeliest answer of the list is found where the likeliest text is none of them', async () => {
  const { answer } = await search(['Sim.', 'Sem.', 'Não.'], { Sam: 0.6, Sim: 0.3, Sem: 0.1 })
  assert.equal(answer?.text, 'Sim.')
  assert.ok(Math.abs((answer?.score ?? 0) - Math.log(0.3)) < 0.1)
})

test('spellings of one answer add up', async () => {
  const { answer } = await search(['Sim.', 'Não.'], { Sim: 0.2, 'Sim.': 0.2, sim: 0.2, Não: 0.4 })
  assert.equal(answer?.text, 'Sim.')
  assert.equal(Math.exp(answer?.score ?? 0).toFixed(2), '0.60')
})

test('the batch stays small however long the list is', async () => {
  const letters = [...'abcdefghijklmnopqrst']
  const list = letters.flatMap((a) => letters.map((b) => `${a}${b}.`))
  const { answer, widths } = await search(list, { ab: 0.5, ac: 0.3, db: 0.2 })
  assert.equal(answer?.text, 'ab.')
  assert.ok(Math.max(...widths) <= 6)
})

test('a cancelled search finds nothing', async () => {
  assert.equal((await search(['Sim.'], { Sim: 1 }, () => true)).answer, undefined)
})

test('answers of a language and the short terms of the agent are looked for', () => {
  const all = answersFor('pt', ['Unimed', 'um termo muito comprido que ninguém responde'])
  for (const answer of ['Sim.', 'Não.', 'Alô?', 'Três.', 'Tá bom.', 'Unimed.']) assert.ok(all.includes(answer), answer)
  assert.equal(
    all.some((answer) => answer.startsWith('um termo')),
    false,
  )
  assert.ok(answersFor('es', []).includes('¿Hola?') && answersFor('en', []).includes('Yes.'))
  assert.deepEqual(answersFor('de', []), [])
})
