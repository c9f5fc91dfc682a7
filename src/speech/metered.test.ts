// The recognition meter: what a member's utterances cost, and when they are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appError } from '../base/errors/errors.ts'
import type { Audio, Stt } from '../voice/ports.ts'
import { meteredStt } from './metered.ts'

async function* speech(seconds: number): Audio {
  for (let i = 0; i < seconds * 10; i++) yield { pcm: new Int16Array(800), rateHz: 8000 }
}

function recognizer(left: number) {
  const spent: number[] = []
  let heard = 0
  const stt: Stt = {
    name: 'vendor',
    async *transcribe(audio) {
      for await (const { pcm } of audio) heard += pcm.length / 8000
      yield { text: 'Bom dia', isFinal: true }
    },
  }
  const total = () => spent.reduce((sum, seconds) => sum + seconds, 0)
  const metered = meteredStt(stt, {
    userId: 'usr_1',
    meter: {
      async spend(_userId, _kind, amount) {
        if (total() + amount > left) throw appError('budget_recognition_used_up', { limit: 1 })
        spent.push(amount)
      },
      async add(_userId, _kind, amount) {
        spent.push(amount)
      },
      isLimited: async () => true,
    },
  })
  const listen = async (seconds: number) => {
    const texts: string[] = []
    const options = { language: 'pt-BR' }
    for await (const { text } of metered.transcribe(speech(seconds), options, new AbortController().signal))
      texts.push(text)
    return texts
  }
  return { listen, total, heard: () => Math.round(heard) }
}

test('an utterance costs its seconds, and one second at least', async () => {
  const { listen, total } = recognizer(100)
  assert.deepEqual(await listen(7), ['Bom dia'])
  assert.equal(total(), 7)
  await listen(0.2)
  assert.equal(total(), 8)
})

test('an utterance that has begun is heard to its end; the next one is refused and sent nowhere', async () => {
  const { listen, total, heard } = recognizer(5)
  assert.deepEqual(await listen(12), ['Bom dia'])
  assert.equal(total(), 12)
  await assert.rejects(listen(1), /MEMBER_STT_MINUTES_PER_DAY/)
  assert.deepEqual([total(), heard()], [12, 12])
})
