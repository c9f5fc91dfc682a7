// @run own-process: signals, priorities, crashing threads.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '../../test/until.ts'
import { Recorder, repairWav } from './recorder.ts'
import { parseWavHeader, pcmOf } from './wav.ts'

const folder = mkdtempSync(join(tmpdir(), 'recorder-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

function stereo(path: string) {
  const bytes = readFileSync(path)
  const header = parseWavHeader(bytes)
  assert.ok(header)
  const all = pcmOf(bytes.subarray(header.dataAt, header.dataAt + header.dataBytes))
  const side = (offset: number) => all.filter((_, i) => i % 2 === offset)
  return { ...header, size: bytes.length, left: side(0), right: side(1) }
}

const ramp = (length: number, from: number) => Int16Array.from({ length }, (_, i) => (from + i) % 30_000)
const noFailure = (problem: string) => assert.fail(problem)

test('both sides are written sample beside sample, over many batches, and the file is whole at the end', async () => {
  const recorder = new Recorder(file('two.wav'), 8000, noFailure)
  for (let i = 0; i < 175; i++) {
    recorder.write(ramp(160, i * 160), ramp(160, i * 160 + 5), 8000)
    if (i % 40 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await recorder.finish()
  await recorder.finish()
  recorder.write(ramp(160, 0), ramp(160, 0), 8000)
  const { left, right, rateHz, channels, dataBytes, size } = stereo(file('two.wav'))
  assert.deepEqual({ rateHz, channels, dataBytes }, { rateHz: 8000, channels: 2, dataBytes: 175 * 640 })
  assert.equal(size, 44 + dataBytes)
  assert.deepEqual(left, ramp(175 * 160, 0))
  assert.deepEqual(right, ramp(175 * 160, 5))
  assert.equal(statSync(file('two.wav')).mode & 0o077, 0, 'others may not read what was said')
})

test('when the codec changes, the file keeps its rate and its sides stay together', async () => {
  const recorder = new Recorder(file('rates.wav'), 8000, noFailure)
  const click = (length: number, at: number) => new Int16Array(length).with(at, 20_000)
  for (let i = 0; i < 50; i++) recorder.write(new Int16Array(160), new Int16Array(160), 8000)
  for (let i = 0; i < 50; i++) {
    const frame = i === 25 ? click(320, 160) : new Int16Array(320)
    recorder.write(frame, frame, 16_000)
  }
  for (let i = 0; i < 50; i++) {
    const frame = i === 25 ? click(160, 80) : new Int16Array(160)
    recorder.write(frame, frame, 8000)
  }
  await recorder.finish()
  const { left, right, rateHz } = stereo(file('rates.wav'))
  assert.equal(rateHz, 8000)
  assert.equal(left.length, 24_000)
  assert.deepEqual(left, right)
  const loudest = (from: number, to: number) => {
    const part = left.subarray(from, to)
    return from + part.indexOf(part.reduce((most, sample) => Math.max(most, sample), 0))
  }
  assert.ok(Math.abs(loudest(8000, 16_000) - 12_080) <= 1)
  assert.equal(loudest(16_000, 24_000), 20_080)
})

test('the header is true while the recording goes on', async () => {
  const recorder = new Recorder(file('live.wav'), 8000, noFailure)
  await recorder.ready
  assert.equal(stereo(file('live.wav')).dataBytes, 0)
  for (let i = 0; i < 55; i++) recorder.write(ramp(160, 1), ramp(160, 1), 8000)
  const { dataBytes, size } = await until('a batch on the disk', () => {
    const now = stereo(file('live.wav'))
    return now.dataBytes > 0 && now
  })
  assert.ok(size >= 44 + dataBytes)
  await recorder.finish()
})

test('a file that cannot be opened, and a full disk, are reported once; nothing throws', async () => {
  for (const path of [file('no/such/folder.wav'), '/dev/full']) {
    const problems: string[] = []
    const recorder = new Recorder(path, 8000, (problem) => problems.push(problem))
    for (let i = 0; i < 120; i++) recorder.write(ramp(160, 1), ramp(160, 1), 8000)
    await recorder.ready
    for (let i = 0; i < 120; i++) recorder.write(ramp(160, 1), ramp(160, 1), 8000)
    await recorder.finish()
    assert.deepEqual(problems, [path === '/dev/full' ? 'ENOSPC' : 'ENOENT'])
  }
})

test('a disk that fills up in the middle ends the recording with a header that is true', async () => {
  // A file-size limit simulates a full disk. It applies to a whole process, so a child process gets it.
  const path = file('limited.wav')
  const program = `
    import { Recorder } from ${JSON.stringify(new URL('./recorder.ts', import.meta.url).href)}
    process.on('SIGXFSZ', () => {})
    const recorder = new Recorder(${JSON.stringify(path)}, 8000, (problem) => console.log(problem))
    const frame = new Int16Array(160).fill(7)
    for (let i = 0; i < 1000; i++) {
      recorder.write(frame, frame, 8000)
      if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await recorder.finish()`
  writeFileSync(file('limited.mjs'), program)
  const child = spawn('bash', ['-c', `ulimit -f 200; exec "$0" "$1"`, process.execPath, file('limited.mjs')])
  let out = ''
  child.stdout.on('data', (text) => (out += text))
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  assert.match(out, /^EFBIG\n$/)
  const { dataBytes, size } = stereo(path)
  assert.ok(dataBytes > 100_000 && size >= 44 + dataBytes, `${dataBytes} of ${size}`)
})

test('after SIGKILL the header does not say more than is there, and can be repaired', async () => {
  const path = file('killed.wav')
  const program = `
    import { Recorder } from ${JSON.stringify(new URL('./recorder.ts', import.meta.url).href)}
    const recorder = new Recorder(${JSON.stringify(path)}, 8000, () => {})
    const frame = new Int16Array(160).fill(7)
    setInterval(() => { for (let i = 0; i < 11; i++) recorder.write(frame, frame, 8000) }, 3)`
  writeFileSync(file('killed.mjs'), program)
  const child = spawn(process.execPath, [file('killed.mjs')], { stdio: 'ignore' })
  await until('some batches', () => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 200_000, 60_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const before = stereo(path)
  assert.ok(before.dataBytes > 0)
  assert.ok(before.size >= 44 + before.dataBytes)
  assert.ok(before.left.every((sample) => sample === 7))

  await truncate(path, before.size + 7) // simulates an interrupted write
  assert.equal(await repairWav(path), true)
  const whole = stereo(path)
  assert.equal(whole.dataBytes, Math.floor((before.size + 7 - 44) / 4) * 4)
  assert.equal(await repairWav(path), false, 'a second time there is nothing to do')
})

test('only a recording is repaired', async () => {
  writeFileSync(file('text.wav'), 'This is a text and no sound at all, though it is long enough to be one.')
  await assert.rejects(repairWav(file('text.wav')))
  writeFileSync(file('empty.wav'), '')
  await assert.rejects(repairWav(file('empty.wav')))
})
