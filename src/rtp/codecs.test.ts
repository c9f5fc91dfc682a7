// All codecs behind their common interface: sizes, sound, rates, and malformed payloads.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { randomness, tone } from '../../test/rtp-network.ts'
import { pitchHz } from '../../test/sound-measures.ts'
import { loadOpus } from '../audio/opus.ts'
import { joinPcm, levelDb } from '../audio/pcm.ts'
import { isAvailable, openCodec } from './codecs.ts'
import type { CodecName } from './leg.ts'

const names: CodecName[] = ['PCMU', 'PCMA', 'G722', 'opus']

before(async () => {
  assert.equal(await loadOpus(), true)
})

test('Opus is there after it was loaded, the others always', () => {
  for (const name of names) assert.equal(isAvailable(name), true, name)
})

test('rates and RTP clocks are those of their standards', () => {
  const rates = names.map((name) => {
    const { rateHz, clockHz } = openCodec(name)
    return [name, rateHz, clockHz]
  })
  assert.deepEqual(rates, [
    ['PCMU', 8000, 8000],
    ['PCMA', 8000, 8000],
    ['G722', 16000, 8000],
    ['opus', 16000, 48000],
  ])
})

for (const name of names) {
  test(`${name}: a tone comes out as the same tone, in frames of 10, 20, 40 and 60 ms`, () => {
    for (const ms of [10, 20, 40, 60]) {
      const codec = openCodec(name)
      const said = tone(1.2, 200, codec.rateHz)
      const size = (codec.rateHz * ms) / 1000
      const parts: Int16Array[] = []
      for (let at = 0; at < said.length; at += size) {
        const payload = codec.encode(said.subarray(at, at + size))
        assert.ok(payload.length > 0 && payload.length <= ms * 8)
        const heard = codec.decode(payload)
        assert.equal(heard.length, size)
        parts.push(heard)
      }
      const heard = joinPcm(parts).subarray(codec.rateHz / 5)
      assert.ok(Math.abs(pitchHz(heard, codec.rateHz) - 200) < 3, `${ms} ms: ${pitchHz(heard, codec.rateHz)} Hz`)
      assert.ok(Math.abs(levelDb(heard) - levelDb(said)) < 1.5, `${ms} ms: ${levelDb(heard)} dB`)
      codec.close?.()
    }
  })

  test(`${name}: any bytes decode to samples or to nothing, and the next good ones are heard`, () => {
    const codec = openCodec(name)
    const random = randomness(8)
    for (let n = 0; n < 3000; n++) {
      const payload = Uint8Array.from({ length: n % 200 }, () => Math.floor(random() * 256))
      assert.ok(codec.decode(payload) instanceof Int16Array)
    }
    codec.decode(new Uint8Array(9000))
    const said = tone(1, 440, codec.rateHz)
    const size = codec.rateHz / 50
    const parts: Int16Array[] = []
    for (let at = 0; at < said.length; at += size) parts.push(codec.decode(codec.encode(said.subarray(at, at + size))))
    assert.ok(Math.abs(levelDb(joinPcm(parts).subarray(codec.rateHz / 2)) - levelDb(said)) < 1.5)
    codec.close?.()
  })
}

test('two legs of one codec do not share state', () => {
  for (const name of names) {
    const [loud, still] = [openCodec(name), openCodec(name)]
    const said = tone(0.4, 440, loud.rateHz)
    const size = loud.rateHz / 50
    for (let at = 0; at < said.length; at += size) {
      loud.decode(loud.encode(said.subarray(at, at + size)))
      const heard = still.decode(still.encode(new Int16Array(size)))
      assert.ok(levelDb(heard) < -70, `${name}: ${levelDb(heard)} dB`)
    }
    loud.close?.()
    still.close?.()
  }
})

test('a closed Opus codec encodes and decodes nothing, and may be closed twice', () => {
  const codec = openCodec('opus')
  const payload = codec.encode(new Int16Array(320))
  codec.close?.()
  codec.close?.()
  assert.equal(codec.decode(payload).length, 0)
  assert.equal(codec.encode(new Int16Array(320)).length, 0)
})

test('Opus works in several threads one after the other and at once', async () => {
  const source = `
    import { loadOpus } from '${new URL('../audio/opus.ts', import.meta.url)}'
    import { openCodec } from '${new URL('./codecs.ts', import.meta.url)}'
    import { parentPort } from 'node:worker_threads'
    await loadOpus()
    const codec = openCodec('opus')
    const pcm = Int16Array.from({ length: 320 }, (_, i) => 8000 * Math.sin(i / 5))
    let sum = 0
    for (let n = 0; n < 100; n++) for (const sample of codec.decode(codec.encode(pcm))) sum = (sum * 31 + sample) | 0
    parentPort.postMessage(sum)
  `
  const run = () =>
    new Promise<number>((resolve, reject) => {
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
      let sum = 0
      worker.on('message', (heard) => {
        sum = heard
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve(sum))
    })
  const first = await run()
  const others = await Promise.all([run(), run()])
  assert.notEqual(first, 0)
  assert.deepEqual(others, [first, first])
})
