// The search for free words with expected terms, with a table in place of the decoder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecoderState } from './decoder.ts'
import { findWords, termTree } from './word-search.ts'

/** One token per letter; 0 is the end token. */
const END = 0
const SIZE = 300
const encode = (text: string) => [...text].map((letter) => (letter.codePointAt(0) as number) % SIZE)
const written = (said: readonly number[]) => String.fromCodePoint(...said)
const mask = new Uint8Array(SIZE)
const continuesWord = Uint8Array.from({ length: SIZE }, (_, i) =>
  /[\p{L}\p{N}]/u.test(String.fromCodePoint(i)) ? 1 : 0,
)
const tokens = { end: END, suppressed: mask, suppressedFirst: mask, continuesWord }
const state = {} as DecoderState

/** A model that would say one of `texts`, with probabilities in proportion to their weights. */
async function heard(texts: Readonly<Record<string, number>>, words: readonly string[], isCanceled = () => false) {
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
      live = chosen.map((token, i) => `${live[from[i] as number]}${written([token])}`)
      return { state, rows: live.map(row) }
    },
  }
  const search = { terms: termTree({ names: [], words }, encode), decoder, tokens, seconds: 20, isCanceled }
  const found = await findWords(search, { state, row: row('') })
  return { text: found && written(found.said), found, width: Math.max(...widths) }
}

const asked = { ' Qual é o interesse da casa?': 0.8, ' Qual é o endereço da casa?': 0.12 }

test('without terms the likeliest token is taken at each step, one hypothesis at a time', async () => {
  const { text, found, width } = await heard(asked, [])
  assert.equal(text, ' Qual é o interesse da casa?')
  assert.deepEqual([found?.bonus, width], [0, 1])
})

test('a term that is almost as likely as other words is preferred to them', async () => {
  const { text, found } = await heard(asked, ['endereço'])
  assert.equal(text, ' Qual é o endereço da casa?')
  assert.ok(Math.abs((found?.sum ?? 0) - Math.log(0.12 / 0.92)) < 0.1, 'its probability is that of the model')
})

test('a term that the sound hardly allows is not said', async () => {
  const { text } = await heard({ ...asked, ' Qual é o endereço da casa?': 0.01 }, ['endereço'])
  assert.equal(text, ' Qual é o interesse da casa?')
})

test('the start of a term gets nothing for words that go on in another way', async () => {
  const { text, found } = await heard({ ' o interesse': 0.8, ' o ende': 0.12, ' o endereços': 0.1 }, ['endereço'])
  assert.equal(text, ' o interesse')
  assert.equal(found?.bonus, 0)
})

test('a term counts at the start, at the end, with a capital and before a mark', async () => {
  for (const [likely, term] of [
    [' Interesse, por favor', ' Endereço, por favor'],
    [' o interesse', ' o endereço'],
  ] as const)
    assert.equal((await heard({ [likely]: 0.8, [term]: 0.12 }, ['ENDEREÇO', 'endereço'])).text, term)
})

test('a term that the model hears by itself counts too, so that another term does not replace it', async () => {
  const { text, found } = await heard({ ' o exame hoje': 0.6, ' o exato hoje': 0.3 }, ['exame', 'exato'])
  assert.equal(text, ' o exame hoje')
  assert.ok((found?.bonus ?? 0) > 0)
})

test('names of several words are said as a whole', async () => {
  const both = { ' na cínica a hora': 0.7, ' na Clínica Aurora': 0.2, ' na Clínica a hora': 0.1 }
  assert.equal((await heard(both, ['Clínica Aurora'])).text, ' na Clínica Aurora')
})

test('names keep their capitals, other words are found in either case', () => {
  const isWhole = (expected: Parameters<typeof termTree>[0], text: string) => {
    let at: ReturnType<typeof termTree> | undefined = termTree(expected, encode)
    for (const token of encode(text)) at = at?.next.get(token)
    return at?.isWhole ?? false
  }
  for (const text of [' Helena', ' convênio', ' Convênio'])
    assert.equal(isWhole({ names: ['Helena', 'convênio'], words: [] }, text), true, text)
  assert.equal(isWhole({ names: ['Helena'], words: [] }, ' helena'), false)
  for (const text of [' RG', ' rg', ' Exames', ' exames'])
    assert.equal(isWhole({ names: [], words: ['RG', 'Exames'] }, text), true, text)
})

test('the batch stays small however many terms there are', async () => {
  const letters = [...'abcdefghijklmnopqrst']
  const all = letters.flatMap((a) => letters.map((b) => `${a}${b}`))
  const texts = Object.fromEntries(all.map((word, i) => [` o ${word} e ${word}`, 1 + i / 400]))
  assert.ok((await heard(texts, all)).width <= 3)
})

test('a cancelled search finds nothing', async () => {
  assert.equal((await heard(asked, [], () => true)).text, undefined)
})
