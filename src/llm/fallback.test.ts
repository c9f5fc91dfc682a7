import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { AppError } from '../base/errors.ts'
import type { Llm, LlmPart, Message } from '../voice/ports.ts'
import { withFallback } from './fallback.ts'

type Script = (signal: AbortSignal) => AsyncIterable<LlmPart>
const model = (name: string, script: Script, asked: string[] = []): Llm => ({
  name,
  isModel: true,
  reply(_history, _tools, _options, signal) {
    asked.push(name)
    return script(signal)
  },
})
const saying = (...words: string[]): Script =>
  async function* () {
    for (const say of words) yield { say }
  }
const failing = (...words: string[]): Script =>
  async function* () {
    for (const say of words) yield { say }
    throw new AppError('upstream', 'It failed')
  }
/** Produces nothing more, and ends only on abort. */
const stalling = (onEnd: () => void = () => {}, ...words: string[]): Script =>
  async function* (signal) {
    for (const say of words) yield { say }
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    onEnd()
  }

const history: Message[] = [{ role: 'user', content: 'Hi' }]
const never = new AbortController().signal
const replyOf = (llm: Llm, signal = never) => Array.fromAsync(llm.reply(history, [], { language: 'en' }, signal))
const said = (parts: LlmPart[]) => parts.map((part) => ('say' in part ? part.say : '()')).join('')
const soon = { firstWordMs: 60 }

test('the first model replies while it can, and the second is not called', async () => {
  const asked: string[] = []
  const both = withFallback(model('a', saying('One ', 'two.'), asked), model('b', saying('No.'), asked), soon)
  assert.equal(said(await replyOf(both)), 'One two.')
  assert.deepEqual(asked, ['a'])
  assert.deepEqual([both.name, both.isModel], ['a', true])
})

test('the second model replies if the first fails before its first word', async () => {
  const told: unknown[] = []
  const onFallback = (error: unknown) => void told.push((error as Error).message)
  for (const words of [[], [' '], ['', '\n']]) {
    const both = withFallback(model('a', failing(...words)), model('b', saying('Here.')), { onFallback })
    assert.equal(said(await replyOf(both)), 'Here.')
  }
  assert.deepEqual(told, ['It failed', 'It failed', 'It failed'])
})

test('the second model replies if the first is silent for too long, and the first is aborted', async () => {
  let isStopped = false
  const told: number[] = []
  const onFallback = (error: unknown) => void told.push((error as AppError).status)
  const slow = model(
    'a',
    stalling(() => {
      isStopped = true
    }, ' '),
  )
  assert.equal(said(await replyOf(withFallback(slow, model('b', saying('Here.')), { ...soon, onFallback }))), 'Here.')
  await until('the first was told to stop', () => isStopped)
  assert.deepEqual(told, [504])
})

test('a first model that ignores its signal does not delay the second', async () => {
  const deaf = model('a', () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }))
  assert.equal(said(await replyOf(withFallback(deaf, model('b', saying('Here.')), soon))), 'Here.')
})

test('after the first word there is no fallback: a failure is reported, and a pause is not a failure', async () => {
  const asked: string[] = []
  const second = model('b', saying('Other.'), asked)
  const words: string[] = []
  await assert.rejects(async () => {
    for await (const part of withFallback(model('a', failing('One ')), second, soon).reply(
      history,
      [],
      { language: 'en' },
      never,
    ))
      words.push('say' in part ? part.say : '')
  }, /It failed/)
  assert.deepEqual(words, ['One '])
  const halting = model('a', async function* () {
    yield { say: 'One ' }
    await new Promise((resolve) => setTimeout(resolve, 2 * soon.firstWordMs))
    yield { say: 'two.' }
  })
  assert.equal(said(await replyOf(withFallback(halting, second, soon))), 'One two.')
  assert.deepEqual(asked, [])
})

test('a tool call counts as a first word, and an empty reply is a reply', async () => {
  const call = { id: 'c', name: 'end', args: {} }
  const calling = model('a', async function* () {
    yield { call }
  })
  const second = model('b', saying('No.'))
  assert.deepEqual(await replyOf(withFallback(calling, second, soon)), [{ call }])
  assert.deepEqual(await replyOf(withFallback(model('a', saying()), second, soon)), [])
})

test('the second model is called once: its failure is final', async () => {
  const asked: string[] = []
  const both = withFallback(model('a', failing(), asked), model('b', failing(), asked), soon)
  await assert.rejects(replyOf(both), /It failed/)
  assert.deepEqual(asked, ['a', 'b'])
})

test('an abort stops the current model and starts no other', async () => {
  const asked: string[] = []
  let stopped = 0
  const leaving = new AbortController()
  const both = withFallback(
    model(
      'a',
      stalling(() => {
        stopped++
      }),
      asked,
    ),
    model('b', saying('No.'), asked),
  )
  const parts = replyOf(both, leaving.signal)
  leaving.abort()
  assert.deepEqual(await parts, [])
  assert.deepEqual([asked, stopped], [['a'], 1])
  assert.deepEqual(await replyOf(both, AbortSignal.abort()), [])
})
