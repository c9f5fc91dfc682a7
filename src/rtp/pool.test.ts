// The media pool as a whole: ports, memory, and a clean shutdown.
// @run own-process: it measures memory and the event loop, or moves the clock.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { clip, never, testMedia } from '../../test/rtp-call.ts'
import { openPeer, pcmuTo, tone } from '../../test/rtp-peer.ts'
import { until } from '../../test/until.ts'
import { repairWav } from '../audio/recorder.ts'
import { parseWavHeader } from '../audio/wav.ts'
import { openMedia } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'pool-'))
after(() => rmSync(folder, { recursive: true }))

/** A range of free ports, the first one even, that no other media test uses. */
async function freeRange(count: number): Promise<{ from: number; to: number }> {
  for (;;) {
    const from = 30_000 + 2 * Math.floor(Math.random() * 1300)
    const sockets = Array.from({ length: count }, () => createSocket('udp4'))
    const bound = await Promise.all(
      sockets.map(
        (socket, i) =>
          new Promise<boolean>((resolve) => {
            socket.once('error', () => resolve(false))
            socket.bind(from + i, '127.0.0.1', () => resolve(true))
          }),
      ),
    )
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))))
    if (bound.every((ok) => ok)) return { from, to: from + count - 1 }
  }
}

test('a port that others hold is skipped, a port that was closed rests, and at the end it is said that none is free', async (t) => {
  const range = await freeRange(6)
  const held = createSocket('udp4')
  held.bind(range.from + 3, '127.0.0.1') // the RTCP port of the second pair
  await once(held, 'listening')
  const media = await openMedia({ host: '127.0.0.1', ports: range, workers: 1 })
  t.after(() => media.close())
  t.after(() => held.close())
  const [a, b] = [await media.open(), await media.open()]
  assert.deepEqual([a.port, b.port].toSorted(), [range.from, range.from + 4])
  await assert.rejects(media.open(), /No RTP port is free/)
  await a.close()
  await assert.rejects(media.open(), /No RTP port is free/, 'ten seconds have not passed')
})

test('an address that is not ours is an error, not an endless search', async (t) => {
  const media = await openMedia({ host: '203.0.113.1', ports: { from: 20_000, to: 29_999 }, workers: 1 })
  t.after(() => media.close())
  await assert.rejects(media.open(), /could be bound/)
})

test('another thread is started when the first has enough legs, and none beyond the limit', async (t) => {
  const range = await freeRange(24)
  const media = await openMedia({ host: '127.0.0.1', ports: range, workers: 2, legsPerThread: 3 })
  t.after(() => media.close())
  assert.equal(media.load().threads, 1)
  for (let i = 0; i < 3; i++) await media.open()
  const [fourth, beside] = [await media.open(), await media.open()]
  assert.equal(media.load().threads, 2, 'the fourth has waited for it')
  for (let i = 0; i < 5; i++) await media.open()
  assert.deepEqual(media.load().threads, 2)
  assert.equal(media.load().legs, 10)
  await Promise.all([fourth.close(), beside.close()])
  assert.equal(media.load().legs, 8)
})

test('a leg counts by the cost of its codec', async (t) => {
  const media = await openMedia({ host: '127.0.0.1', ports: await freeRange(24), workers: 2, legsPerThread: 16 })
  t.after(() => media.close())
  for (let i = 0; i < 2; i++) (await media.open()).configure(pcmuTo(9, { codec: 'opus', payloadType: 111 }))
  await media.open()
  assert.equal(media.load().threads, 2, 'two legs of Opus fill a thread')
})

test('memory stays flat over 400 legs that play, hear and record', async (t) => {
  const media = await testMedia(1)
  t.after(() => media.close())
  const peer = await openPeer()
  t.after(() => peer.close())
  const one = async (i: number) => {
    const leg = await media.open()
    leg.configure(pcmuTo(peer.port))
    await leg.record(join(folder, `${i % 20}.wav`))
    for (let k = 0; k < 5; k++) peer.send(leg.port, new Uint8Array(160).fill(0x55))
    await leg.play(clip(tone(800, 60, 24_000), 24_000), never)
    await leg.close()
  }
  const twenty = (round: number) => Promise.all(Array.from({ length: 20 }, (_, i) => one(round * 20 + i)))
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void // uncollected garbage is not a leak
  const memoryMb = () => {
    gc()
    const { rss, heapUsed, external } = process.memoryUsage()
    return { whole: rss / 2 ** 20, ours: (heapUsed + external) / 2 ** 20 }
  }
  for (let round = 0; round < 4; round++) await twenty(round)
  const before = memoryMb()
  for (let round = 0; round < 20; round++) {
    await twenty(round)
    peer.got.length = 0
  }
  const after = memoryMb()
  // A leg in use takes 150 kB: 400 leaked legs would be 60 MB.
  assert.ok(after.ours - before.ours < 8, `${after.ours - before.ours} MB of this thread`)
  assert.ok(after.whole - before.whole < 45, `${after.whole - before.whole} MB in all`)
  assert.equal(media.load().legs, 0)
})

/** A separate process that opens media, records a call, and then runs `end`. */
function run(path: string, end: string) {
  const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    import { openMedia } from ${at('./pool.ts')}
    import { openPeer, pcmuTo, tone } from ${at('../../test/rtp-peer.ts')}
    const media = await openMedia({ host: '127.0.0.1', ports: { from: 20000, to: 29999 }, workers: 1 })
    const leg = await media.open()
    const peer = await openPeer()
    leg.configure(pcmuTo(peer.port))
    await leg.record(${JSON.stringify(path)})
    peer.speak(leg.port, tone(500, 20000))
    async function* sound() { yield { pcm: tone(900, 20000), rateHz: 8000 } }
    const playing = leg.play(sound(), new AbortController().signal)
    ${end}`
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  })
}

test('the recording of a process that was killed can be read as it is', async () => {
  const path = join(folder, 'killed.wav')
  const child = run(path, 'await playing')
  await until('two batches', () => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 40_000, 60_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const bytes = readFileSync(path)
  const header = parseWavHeader(bytes)
  assert.ok(header && header.dataBytes > 0 && bytes.length >= 44 + header.dataBytes)
  await repairWav(path)
  assert.equal(parseWavHeader(readFileSync(path))?.dataBytes, bytes.length - 44)
})

test('after close nothing keeps a process alive', async () => {
  const child = run(
    join(folder, 'ended.wav'),
    `for await (const _ of leg.input) break
    await Promise.all([media.close(), media.close(), leg.close()])
    peer.close()
    await playing
    await media.open().catch(() => console.log('closed'))`,
  )
  let out = ''
  child.stdout.on('data', (text) => (out += text))
  const [code] = await once(child, 'exit')
  assert.deepEqual({ code, out }, { code: 0, out: 'closed\n' })
})
