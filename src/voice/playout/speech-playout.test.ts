// Speech playout on a manual clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../test/voice/manual-clock.ts'
import { MS_PER_LETTER, type Saying, type ScriptedFrame, scriptedVoice } from '../../../test/voice/scripted-edges.ts'
import type { Transport } from '../ports.ts'
import { type PlayoutParts, speechPlayout } from './speech-playout.ts'

/** Plays sentences one after another, each for its own duration. */
function mouth(sentences: AsyncIterable<string>, saying: Saying = () => undefined) {
  const clock = new ManualClock()
  const log: string[] = []
  const asked: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  const play: Transport['play'] = (audio, signal) => {
    const played = last.then(async () => {
      let playedMs = 0
      for await (const frame of audio as AsyncIterable<ScriptedFrame>) {
        if (signal.aborted) break
        if (playedMs === 0) log.push(`${clock.now()} ${frame.text}`)
        await clock.sleep(20, signal)
        if (!signal.aborted) playedMs += 20
      }
      return { playedMs }
    })
    last = played.catch(() => {})
    return played
  }
  const voice = scriptedVoice(clock, { script: saying })
  const parts: PlayoutParts = {
    play,
    clock,
    say: (text, signal) => {
      asked.push(text)
      return voice(text, signal)
    },
    onStarted: () => log.push(`${clock.now()} sound`),
    onUnderrun: () => log.push(`${clock.now()} dry`),
    onFillerPlayed: () => log.push(`${clock.now()} filled`),
    onError: (error) => log.push(`trouble: ${(error as Error).message}`),
  }
  return { clock, log, asked, turn: speechPlayout(sentences, parts) }
}

async function* from(...sentences: (string | Error)[]): AsyncGenerator<string> {
  for (const sentence of sentences) {
    if (sentence instanceof Error) throw sentence
    yield sentence
  }
}
const ms = (text: string) => text.length * MS_PER_LETTER

test('sentences are played in order, and the start is reported once', async () => {
  const { clock, log, turn } = mouth(from('Um.', 'Dois.', 'Três.'))
  const said = turn.speak()
  await clock.pass(2000)
  assert.deepEqual(await said, { end: 'played' })
  assert.deepEqual(log, ['0 sound', '0 Um.', '180 Dois.', '480 Três.'])
  assert.equal(turn.heardText(), 'Um. Dois. Três.')
})

test('at most two sentences are synthesized ahead', async () => {
  let given = 0
  async function* counted() {
    for (const text of ['Primeira frase.', 'Segunda frase.', 'Terceira frase.', 'Quarta frase.']) {
      given++
      yield text
    }
  }
  const { clock, turn } = mouth(counted())
  void turn.speak()
  await clock.pass(100)
  assert.equal(given, 2)
  await clock.pass(ms('Primeira frase.'))
  assert.equal(given, 3)
  await turn.end()
})

test('stop silences at once and knows what was heard; speak resumes at that word', async () => {
  const text = 'Abrimos às oito da manhã.'
  const { clock, log, turn } = mouth(from(text, 'Fechamos às seis.'))
  const first = turn.speak()
  await clock.pass(ms('Abrimos às oi'))
  turn.pause()
  await clock.pass(1000)
  assert.deepEqual(await first, { end: 'stopped' })
  assert.equal(turn.heardText(), 'Abrimos às')
  const rest = turn.speak()
  await clock.pass(5000)
  assert.deepEqual(await rest, { end: 'played' })
  assert.deepEqual(
    log.map((line) => line.replace(/^\d+ /, '')),
    ['sound', text, 'sound', 'oito da manhã.', 'Fechamos às seis.'],
  )
  assert.equal(turn.heardText(), `${text} Fechamos às seis.`)
})

test('a second stop before playout resumes leaves it silent', async () => {
  const { clock, log, turn } = mouth(from('Abrimos às oito da manhã.'))
  void turn.speak()
  await clock.pass(500)
  turn.pause()
  const again = turn.speak()
  turn.pause()
  await clock.pass(5000)
  assert.deepEqual(await again, { end: 'stopped' })
  assert.equal(log.length, 2)
})

test('a sentence that arrives while stopped is not lost', async () => {
  const late = Promise.withResolvers<void>()
  async function* slow() {
    yield 'Um momento.'
    await late.promise
    yield 'Pronto.'
  }
  const { clock, turn } = mouth(slow())
  void turn.speak()
  await clock.pass(2000)
  turn.pause()
  late.resolve()
  await clock.pass(100)
  const rest = turn.speak()
  await clock.pass(2000)
  assert.deepEqual(await rest, { end: 'played' })
  assert.equal(turn.heardText(), 'Um momento. Pronto.')
})

test('underrun and restart are reported', async () => {
  const late = Promise.withResolvers<void>()
  async function* slow() {
    yield 'Um.'
    await late.promise
    yield 'Dois.'
  }
  const { clock, log, turn } = mouth(slow())
  void turn.speak()
  await clock.pass(1000)
  late.resolve()
  await clock.pass(1000)
  assert.deepEqual(log, ['0 sound', '0 Um.', '180 dry', '1000 sound', '1000 Dois.'])
})

test('a filler is played first, does not start the turn, and is not repeated', async () => {
  const late = Promise.withResolvers<void>()
  async function* slow() {
    await late.promise
    yield 'Pronto.'
  }
  const { clock, log, turn } = mouth(slow())
  void turn.speak()
  await clock.pass(0)
  turn.playFiller(() => 'Um momento, por favor.')
  await clock.pass(400)
  turn.pause()
  await clock.pass(100)
  late.resolve()
  void turn.speak()
  await clock.pass(2000)
  assert.deepEqual(log, ['0 Um momento, por favor.', '500 sound', '500 Pronto.'])
  assert.equal(turn.heardText(), 'Um Pronto.')
})

test('the end of a filler is reported, and only one plays at a time', async () => {
  const late = Promise.withResolvers<void>()
  async function* slow() {
    await late.promise
    yield 'Pronto.'
  }
  const { clock, log, turn } = mouth(slow())
  void turn.speak()
  await clock.pass(0)
  turn.playFiller(() => 'Um momento.')
  await clock.pass(100)
  turn.playFiller(() => 'Outro.')
  await clock.pass(1000)
  turn.playFiller(() => 'Mais um.')
  await clock.pass(1000)
  assert.deepEqual(log, ['0 Um momento.', '660 filled', '1100 Mais um.', '1580 filled'])
  await turn.end()
})

test('drained resolves when everything was played, also after a false interruption or failed sentence', async () => {
  for (const outcome of [undefined, new Error('no such sound')]) {
    const late = Promise.withResolvers<void>()
    async function* slow() {
      yield 'Um momento, por favor.'
      await late.promise
    }
    const { clock, turn } = mouth(slow(), () => outcome)
    void turn.speak()
    await clock.pass(0)
    let quietAt: number | null = null
    void turn.drained().then(() => (quietAt = clock.now()))
    await clock.pass(500)
    turn.pause()
    await clock.pass(1000)
    if (!outcome) assert.equal(quietAt, null)
    void turn.speak()
    await clock.pass(3000)
    assert.ok(outcome ? quietAt === 0 : (quietAt ?? 0) > 2000, `${quietAt}`)
    await turn.end()
  }
})

test('end aborts synthesis and does not wait for a transport that does not respond', async () => {
  const { clock, log, turn } = mouth(from('Abrimos às oito da manhã.', 'Fechamos.'))
  void turn.speak()
  await clock.pass(700)
  await turn.end()
  assert.equal(turn.heardText(), 'Abrimos às')
  await clock.pass(5000)
  assert.equal(log.length, 2, 'the second is never heard')
  const stuck = speechPlayout(from('Olá.'), {
    play: () => new Promise(() => {}),
    clock,
    say: async function* () {},
    onStarted() {},
    onUnderrun() {},
    onError() {},
  })
  void stuck.speak()
  await clock.pass(10)
  const ended = stuck.end()
  await clock.pass(600)
  await ended
})

test('a model failure is reported after its complete sentences were played', async () => {
  const error = new Error('down')
  const { clock, turn } = mouth(from('Abrimos às oito.', error))
  const said = turn.speak()
  await clock.pass(3000)
  assert.deepEqual(await said, { end: 'failed', stage: 'model', error })
  assert.equal(turn.heardText(), 'Abrimos às oito.')
})

test('synthesis is tried twice before its failure is reported', async () => {
  const error = new Error('busy')
  const { clock, asked, log, turn } = mouth(from('Olá.'), () => error)
  const said = turn.speak()
  await clock.pass(100)
  assert.deepEqual(await said, { end: 'failed', stage: 'synthesis', error })
  assert.deepEqual([asked, log], [['Olá.', 'Olá.'], ['trouble: busy']])
})

test('an empty sentence is not spoken', async () => {
  const { clock, asked, turn } = mouth(from('', ' ', 'Olá.'))
  const said = turn.speak()
  await clock.pass(1000)
  assert.deepEqual(await said, { end: 'played' })
  assert.deepEqual(asked, ['Olá.'])
})

test('a sentence synthesized before the previous one does not start playout', async () => {
  const clock = new ManualClock()
  const log: string[] = []
  const voice = scriptedVoice(clock)
  const ended: Promise<unknown>[] = []
  // As a leg does: all sentences are pulled at once and heard in order.
  const play: Transport['play'] = async (audio, signal) => {
    const before = Promise.all(ended)
    const frames: unknown[] = []
    const pulled = (async () => {
      for await (const frame of audio) frames.push(frame)
    })()
    const heard = Promise.all([before, pulled]).then(() => clock.sleep(frames.length * 20, signal))
    ended.push(heard)
    await heard
    return { playedMs: frames.length * 20 }
  }
  const turn = speechPlayout(from('Um.', 'Dois.'), {
    play,
    clock,
    async *say(text, signal) {
      if (text === 'Um.') await clock.sleep(800, signal)
      yield* voice(text, signal)
    },
    onStarted: () => log.push(`${clock.now()} sound`),
    onUnderrun: () => {},
    onError: () => {},
  })
  const said = turn.speak()
  await clock.pass(3000)
  assert.deepEqual(await said, { end: 'played' })
  assert.deepEqual(log, ['800 sound'])
})
