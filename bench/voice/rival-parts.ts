// @livekit/agents with the benchmark's fakes as its plugins: a conversation in one process, without room, SIP, RTP or
// codec.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ANSWER, ANSWER_HZ, answerFrames, QUESTION, terms, wait } from './terms.ts'

/** Types of the parts used here; the package is not a dependency, so its own types are not available. */
export type AudioFrame = { data: Int16Array; sampleRate: number; samplesPerChannel: number }
type Queue = { put(value: unknown): void }
type Stream = { queue: Queue; input: AsyncIterable<unknown>; label: string; markStarted(): void }
type Made<T> = new (...args: unknown[]) => T
type Audio = { multiStream: { addInputStream(stream: ReadableStream<AudioFrame>): void } }
type Output = {
  captureFrame(frame: AudioFrame): Promise<void>
  flush(): void
  onPlaybackStarted(atMs: number): void
  onPlaybackFinished(how: { playbackPosition: number; interrupted: boolean }): void
}
export type Session = {
  input: { audio: unknown }
  output: { audio: unknown }
  start(options: { agent: unknown; record: boolean }): Promise<void>
  close(): Promise<void>
}
type Agents = {
  initializeLogger(options: { pretty: boolean; level: string }): void
  stt: { STT: Made<object>; SpeechStream: Made<Stream>; SpeechEventType: { FINAL_TRANSCRIPT: unknown } }
  llm: { LLM: Made<object>; LLMStream: Made<Stream> }
  tts: { TTS: Made<object>; SynthesizeStream: Made<Stream> & { END_OF_STREAM: unknown } }
  voice: { Agent: Made<object>; AgentSession: Made<Session>; AudioInput: Made<Audio>; AudioOutput: Made<Output> }
}
type Rtc = { AudioFrame: new (pcm: Int16Array, rateHz: number, channels: number, samples: number) => AudioFrame }

/** Above the line noise. */
const LOUD = 300
/** As in the platform's VAD, this much silence ends an utterance, which is then transcribed. */
const QUIET_MS = 250

function isLoud({ data }: AudioFrame): boolean {
  for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] as number) > LOUD) return true
  return false
}

export async function loadRival(folder: string) {
  const load = (path: string) => import(pathToFileURL(join(folder, 'node_modules', '@livekit', path)).href)
  const agents = (await load('agents/dist/index.js')) as Agents
  const { AudioFrame } = (await load('rtc-node/dist/index.js')) as Rtc
  agents.initializeLogger({ pretty: false, level: 'error' })
  const { stt, llm, tts, voice } = agents

  class Hearing extends stt.SpeechStream {
    override label = 'fake'
    async run(): Promise<void> {
      let quietMs = Number.POSITIVE_INFINITY
      for await (const frame of this.input as AsyncIterable<AudioFrame | symbol>) {
        if (typeof frame === 'symbol') continue
        const wasHeard = quietMs >= QUIET_MS
        quietMs = isLoud(frame) ? 0 : quietMs + (frame.samplesPerChannel / frame.sampleRate) * 1000
        if (!wasHeard && quietMs >= QUIET_MS) setTimeout(() => this.queue.put(heard), terms.recognitionMs)
      }
    }
  }
  const said = { text: QUESTION, language: 'pt', startTime: 0, endTime: 0, confidence: 1 }
  const heard = { type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [said] }
  class FakeStt extends stt.STT {
    label = 'fake'
    constructor() {
      super({ streaming: true, interimResults: false })
    }
    stream = () => new Hearing(this)
  }

  class Thinking extends llm.LLMStream {
    async run(): Promise<void> {
      await wait(terms.modelMs)
      this.queue.put({ id: 'fake', delta: { role: 'assistant', content: ANSWER } })
    }
  }
  class FakeLlm extends llm.LLM {
    label = () => 'fake'
    chat = (asked: object) => new Thinking(this, asked)
  }

  const answer = answerFrames().map((pcm) => new AudioFrame(pcm, ANSWER_HZ, 1, pcm.length))
  class Speaking extends tts.SynthesizeStream {
    override label = 'fake'
    async run(): Promise<void> {
      let hasBegun = false
      for await (const text of this.input) {
        if (hasBegun || typeof text !== 'string') continue
        hasBegun = true
        this.markStarted()
        await wait(terms.voiceMs)
        for (const [i, frame] of answer.entries())
          this.queue.put({ requestId: 'fake', segmentId: 'fake', frame, final: i === answer.length - 1 })
      }
      this.queue.put(tts.SynthesizeStream.END_OF_STREAM)
    }
  }
  class FakeTts extends tts.TTS {
    label = 'fake'
    constructor() {
      super(ANSWER_HZ, 1, { streaming: true })
    }
    stream = () => new Speaking(this)
  }

  class Ear extends voice.AudioInput {
    readonly push: (frame: AudioFrame) => void
    constructor() {
      super()
      let give: ReadableStreamDefaultController<AudioFrame> | undefined
      const start = (controller: ReadableStreamDefaultController<AudioFrame>) => {
        give = controller
      }
      this.multiStream.addInputStream(new ReadableStream<AudioFrame>({ start }))
      this.push = (frame) => give?.enqueue(frame)
    }
  }

  /** Accepts audio faster than real time, as a room does, and reports its playout. */
  class Mouth extends voice.AudioOutput {
    readonly onSound: () => void
    soundsUntilMs = 0
    #beganMs = 0
    #over: NodeJS.Timeout | undefined
    constructor(onSound: () => void) {
      super(ANSWER_HZ, undefined, { pause: false })
      this.onSound = onSound
    }
    override async captureFrame(frame: AudioFrame): Promise<void> {
      await super.captureFrame(frame)
      const nowMs = performance.now()
      if (this.soundsUntilMs <= nowMs) {
        this.#beganMs = nowMs
        this.soundsUntilMs = nowMs
        this.onSound()
        this.onPlaybackStarted(Date.now())
      }
      this.soundsUntilMs += (frame.samplesPerChannel / frame.sampleRate) * 1000
    }
    override flush(): void {
      super.flush()
      clearTimeout(this.#over)
      const leftMs = this.soundsUntilMs - performance.now()
      if (leftMs > 0) this.#over = setTimeout(() => this.#finish(false), leftMs)
    }
    clearBuffer(): void {
      if (this.soundsUntilMs <= performance.now()) return
      clearTimeout(this.#over)
      this.soundsUntilMs = performance.now()
      this.#finish(true)
    }
    #finish(interrupted: boolean): void {
      this.onPlaybackFinished({ playbackPosition: (this.soundsUntilMs - this.#beganMs) / 1000, interrupted })
    }
  }

  async function open(onSound: () => void) {
    const session = new voice.AgentSession({
      stt: new FakeStt(),
      llm: new FakeLlm(),
      tts: new FakeTts(),
      aecWarmupDuration: null,
      userAwayTimeout: null,
      turnHandling: {
        turnDetection: 'vad',
        endpointing: { minDelay: terms.pauseMs, maxDelay: terms.pauseMs },
        interruption: { mode: 'vad', resumeFalseInterruption: false },
        // As on the platform, no generation before the pause is over; the best-case run allows it.
        preemptiveGeneration: { enabled: terms.modelMs === 0 },
      },
    })
    const [ear, mouth] = [new Ear(), new Mouth(onSound)]
    session.input.audio = ear
    session.output.audio = mouth
    await session.start({ agent: new voice.Agent({ instructions: 'Você é a Ana.' }), record: false })
    return { session, ear, mouth }
  }

  return { open, frameOf: (pcm: Int16Array, rateHz: number) => new AudioFrame(pcm, rateHz, 1, pcm.length) }
}
