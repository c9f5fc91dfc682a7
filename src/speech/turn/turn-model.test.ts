// A turn model in its thread, with a model made on the spot: what it is given, what it answers, and what happens when it cannot.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { workersOf } from '../../../test/speech/workers.ts'
import { until } from '../../../test/until.ts'
import { dataType, type Model, modelBytes } from '../onnx/protobuf.ts'
import { int, node, valueInfo } from '../onnx/values.ts'
import { TURN_FRAMES, turnFeatures } from './turn-features.ts'
import { type LocalTurnModel, openTurnModel } from './turn-model.ts'

const signal = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'ramal-turn-'))

/** The probability is the sigmoid of the mean of all features: a known function in the place of a taught one. */
function meanModel(input: string, isProbability = true): Model {
  const graph: Model['graph'] = {
    name: 'mean',
    nodes: [
      node('ReduceMean', [input], ['mean'], { keepdims: int(0) }),
      node(isProbability ? 'Sigmoid' : 'Exp', ['mean'], ['finished']),
    ],
    initializers: new Map(),
    inputs: [valueInfo(input, dataType.float, [1, 80, TURN_FRAMES])],
    outputs: [valueInfo('finished', dataType.float, [])],
    valueInfo: [],
    rest: [],
  }
  // ir_version 8, which the runtime asks for.
  return { graph, opsets: new Map([['', 17]]), rest: [Buffer.from([0x08, 0x08])] }
}

function fileOf(name: string, model: Model): string {
  const file = join(folder, name)
  writeFileSync(file, modelBytes(model))
  return file
}

/** A tone that rises from 200 to 3200 Hz, and swells and fades, in 5 s. */
const sweep = (rateHz: number) =>
  Int16Array.from({ length: 5 * rateHz }, (_, i) => {
    const t = i / rateHz
    return Math.floor(8000 * Math.sin((Math.PI * t) / 5) * Math.sin(2 * Math.PI * (200 * t + 300 * t * t)) + 0.5)
  })

const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

let model: LocalTurnModel
before(async () => {
  model = await openTurnModel(fileOf('mean.onnx', meanModel('input_features')))
})
after(() => model.close())

test('the sound is seen as Whisper sees it: values that numpy computed', () => {
  const seen = turnFeatures(sweep(16_000), 16_000)
  assert.equal(seen.length, 80 * TURN_FRAMES)
  // Band, frame and value by the reference implementation of the model's authors.
  const known: [band: number, frame: number, value: number][] = [
    [0, 0, -0.2337],
    [5, 305, 1.0165],
    [7, 305, 0.7469],
    [8, 320, 1.3153],
    [20, 400, 1.6412],
    [22, 400, 1.4798],
    [37, 500, 0.6042],
    [46, 600, 0.3498],
    [51, 700, 1.5883],
    [53, 700, -0.0873],
    [55, 780, 1.2516],
    [56, 798, 0.7551],
    [56, 799, 0.6115],
    [58, 799, -0.2337],
  ]
  for (const [band, frame, value] of known) {
    const given = seen[band * TURN_FRAMES + frame] as number
    assert.ok(Math.abs(given - value) < 0.002, `band ${band}, frame ${frame}: ${given} instead of ${value}`)
  }
})

test('the last 8 s count, what is shorter is silent before it begins, and loudness does not matter', () => {
  const sound = sweep(16_000)
  const long = new Int16Array(200_000)
  long.fill(5000, 0, 60_000)
  long.set(sound, long.length - sound.length)
  assert.deepEqual(turnFeatures(long, 16_000), turnFeatures(sound, 16_000))
  const quieter = mean(
    turnFeatures(
      sound.map((sample) => sample / 4),
      16_000,
    ),
  )
  assert.ok(Math.abs(quieter - mean(turnFeatures(sound, 16_000))) < 0.01)
})

test('a call at 8 kHz is seen as the same call at 16 kHz, below 4 kHz', () => {
  const [wide, narrow] = [turnFeatures(sweep(16_000), 16_000), turnFeatures(sweep(8000), 8000)]
  // The sweep reaches 3200 Hz, band 56; one frame in a hundred may differ where it begins.
  let apart = 0
  for (let frame = 310; frame < 790; frame++)
    for (let band = 0; band < 50; band++) {
      const at = band * TURN_FRAMES + frame
      if ((wide[at] as number) > 0.5 && Math.abs((wide[at] as number) - (narrow[at] as number)) > 0.1) apart++
    }
  assert.ok(apart < 50, `${apart} values`)
})

test('the model answers with its probability, at both rates of a telephone', async () => {
  for (const rateHz of [8000, 16_000]) {
    const pcm = sweep(rateHz)
    const finished = await model.endOfTurn({ text: '', pcm, rateHz }, signal)
    assert.ok(Math.abs(finished - sigmoid(mean(turnFeatures(pcm, rateHz)))) < 1e-4, `${finished}`)
    assert.equal(pcm.length, 5 * rateHz, 'the sound is still ours')
  }
  const silence = await model.endOfTurn({ text: '', pcm: new Int16Array(8000), rateHz: 8000 }, signal)
  assert.ok(Math.abs(silence - sigmoid(-1.5)) < 1e-4)
})

test('the name of the input is read from the model', async () => {
  const other = await openTurnModel(fileOf('named.onnx', meanModel('sound')))
  assert.ok((await other.endOfTurn({ text: '', pcm: sweep(8000), rateHz: 8000 }, signal)) > 0)
  await other.close()
})

test('what is asked at once is answered one by one, and too much is refused', async () => {
  const asks = Array.from({ length: 12 }, () => model.endOfTurn({ text: '', pcm: sweep(8000), rateHz: 8000 }, signal))
  const ends = await Promise.allSettled(asks)
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 8)
  assert.match(String(ends.find((end) => end.status === 'rejected')?.reason), /does not keep up/)
})

test('a file that is no model, or a model of another kind, is told when it is opened', async () => {
  const bad = join(folder, 'bad.onnx')
  writeFileSync(bad, 'this is no model')
  await assert.rejects(openTurnModel(bad))
  await assert.rejects(openTurnModel(join(folder, 'missing.onnx')))
  const wrong = meanModel('input_features')
  wrong.graph.inputs = [valueInfo('input_features', dataType.float, [1, 40, 100])]
  await assert.rejects(openTurnModel(fileOf('shape.onnx', wrong)))
})

test('an answer that is no probability is an error of that question alone', async () => {
  const other = await openTurnModel(fileOf('exp.onnx', meanModel('input_features', false)))
  const loud = Int16Array.from({ length: 64_000 }, (_, i) => ((i * 7919) % 20_000) - 10_000)
  await assert.rejects(other.endOfTurn({ text: '', pcm: loud, rateHz: 8000 }, signal), /no probability/)
  assert.ok((await other.endOfTurn({ text: '', pcm: new Int16Array(0), rateHz: 8000 }, signal)) < 1)
  await other.close()
})

test('a thread that dies is replaced; after closing nothing is taken', async () => {
  const file = fileOf('again.onnx', meanModel('input_features'))
  const { opened, workers } = await workersOf(() => openTurnModel(file))
  await workers[0]?.terminate()
  const ask = () => opened.endOfTurn({ text: '', pcm: sweep(8000), rateHz: 8000 }, signal)
  await until('another thread answers', () => ask().catch(() => undefined))
  await opened.close()
  await assert.rejects(ask(), /closed/)
})
