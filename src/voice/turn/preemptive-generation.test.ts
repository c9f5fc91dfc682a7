// Preemptive generation: taken over whole, or stopped at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Llm, LlmPart, Message, Tool } from '../ports.ts'
import { preemptiveGeneration } from './preemptive-generation.ts'

const options = { language: 'pt-BR' }
const history = (text: string): Message[] => [{ role: 'user', content: text }]
const later = (text: string) => Promise.resolve(history(text))
const signal = new AbortController().signal
const soon = () => new Promise((resolve) => setImmediate(resolve))

/** The test answers each request by hand. */
function manualLlm() {
  const asked: { text: string; signal: AbortSignal; say: (text: string) => void; end: (error?: Error) => void }[] = []
  let read = 0
  const llm: Llm = {
    name: 'manual',
    isModel: true,
    async *reply(given, _tools, _options, stop) {
      const parts: (LlmPart | Error | null)[] = []
      let wake = () => {}
      const push = (part: LlmPart | Error | null) => {
        parts.push(part)
        wake()
      }
      asked.push({
        text: given.at(-1)?.content ?? '',
        signal: stop,
        say: (text) => push({ say: text }),
        end: (error) => push(error ?? null),
      })
      stop.addEventListener('abort', () => push(null), { once: true })
      for (;;) {
        const part = parts.shift()
        if (part === undefined)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        else if (part instanceof Error) throw part
        else if (part === null) return
        else {
          read++
          yield part
        }
      }
    },
  }
  return { llm, asked, read: () => read }
}

async function words(parts: AsyncIterable<LlmPart>): Promise<string> {
  let text = ''
  for await (const part of parts) if ('say' in part) text += part.say
  return text
}

test('a reply to the same prompt takes over the early reply', async () => {
  const { llm, asked } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(later('oi'), [], options)
  await soon()
  asked[0]?.say('Bom ')
  await soon()
  const said = words(guesses.reply(history('oi'), [], options, signal))
  await soon()
  asked[0]?.say('dia.')
  asked[0]?.end()
  assert.equal(await said, 'Bom dia.')
  assert.equal(asked.length, 1)
})

test('a reply to another prompt, tools or language discards the early reply', async () => {
  const tool = { name: 'agenda' } as Tool
  const replies: [Message[], Tool[], { language: string }][] = [
    [history('outra'), [], options],
    [history('oi'), [tool], options],
    [history('oi'), [], { language: 'es' }],
  ]
  for (const reply of replies) {
    const { llm, asked } = manualLlm()
    const guesses = preemptiveGeneration(llm)
    guesses.generateEarly(later('oi'), [], options)
    await soon()
    const said = words(guesses.reply(...reply, signal))
    await soon()
    assert.ok(asked[0]?.signal.aborted)
    asked[1]?.say('Anew.')
    asked[1]?.end()
    assert.equal(await said, 'Anew.')
  }
})

test('a canceled early reply stops at once, also before the model was called', async () => {
  const { llm, asked } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(later('oi'), [], options)
  await soon()
  guesses.cancelEarly()
  assert.ok(asked[0]?.signal.aborted)
  guesses.generateEarly(later('oi'), [], options)
  guesses.cancelEarly()
  await soon()
  assert.equal(asked.length, 1)
})

test('an early reply is used once', async () => {
  const { llm, asked } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(later('oi'), [], options)
  await soon()
  asked[0]?.end()
  await words(guesses.reply(history('oi'), [], options, signal))
  const again = words(guesses.reply(history('oi'), [], options, signal))
  await soon()
  assert.equal(asked.length, 2)
  asked[1]?.end()
  await again
})

test('a second early reply stops the first', async () => {
  const { llm, asked } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(later('oi'), [], options)
  await soon()
  guesses.generateEarly(later('oi, tudo bem?'), [], options)
  await soon()
  assert.deepEqual(
    asked.map(({ signal }) => signal.aborted),
    [true, false],
  )
  guesses.cancelEarly()
})

test('cancelling a reply that took over an early one stops the model', async () => {
  const { llm, asked } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(later('oi'), [], options)
  await soon()
  const stop = new AbortController()
  const said = words(guesses.reply(history('oi'), [], options, stop.signal))
  await soon()
  stop.abort()
  assert.equal(await said, '')
  assert.ok(asked[0]?.signal.aborted)
})

test('an early reply that failed before use is generated anew; one that fails after is a failure', async () => {
  const { llm, asked } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(later('oi'), [], options)
  await soon()
  asked[0]?.say('Bom ')
  asked[0]?.end(new Error('gone'))
  await soon()
  const anew = words(guesses.reply(history('oi'), [], options, signal))
  await soon()
  asked[1]?.say('Bom dia.')
  asked[1]?.end()
  assert.equal(await anew, 'Bom dia.')
  guesses.generateEarly(later('e agora?'), [], options)
  await soon()
  const failing = words(guesses.reply(history('e agora?'), [], options, signal))
  await soon()
  asked[2]?.end(new Error('gone again'))
  await assert.rejects(failing, /gone again/)
})

test('no preemptive generation when the history fails to load', async () => {
  const { llm, asked } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(Promise.reject(new Error('none')), [], options)
  await soon()
  const said = words(guesses.reply(history('oi'), [], options, signal))
  await soon()
  asked[0]?.end()
  assert.equal(await said, '')
})

test('reading ahead is bounded; the rest comes when parts are used', async () => {
  const { llm, asked, read } = manualLlm()
  const guesses = preemptiveGeneration(llm)
  guesses.generateEarly(later('oi'), [], options)
  await soon()
  for (let i = 0; i < 700; i++) asked[0]?.say('a')
  asked[0]?.end()
  await soon()
  await soon()
  assert.equal(read(), 500)
  assert.equal((await words(guesses.reply(history('oi'), [], options, signal))).length, 700)
})
