// espeak-ng as WASM: text to samples and to phonemes. Calls block, so it runs in workers.

/** The part of the package's WASM module that we use; the package has no types. */
type Module = {
  HEAPU8: Uint8Array
  eSpeakNGWorker: new () => Worker
}
type Worker = {
  set_voice(name: string): number
  set_rate(wordsPerMinute: number): void
  set_volume(percent: number): void
  get_samplerate(): number
  text_to_phonemes(text: string, ipa: 0 | 1): { ptr: number }
  synthesize(text: string, onSamples: (samples: Int16Array | null, events: unknown) => boolean): void
}

export type Espeak = {
  readonly rateHz: number
  /** Samples as they are synthesized; `onSamples` returns false to stop. Speed changes duration, not pitch. */
  synthesize(text: string, voice: string, speed: number, onSamples: (pcm: Int16Array) => boolean): void
  /** Phonemes in IPA, one string per clause found by espeak, with `_` between sounds. */
  phonemes(text: string, voice: string): string[]
}

export const espeakPackage = '@echogarden/espeak-ng-emscripten'

/** In words per minute. Slightly slower than espeak's default of 175, for intelligibility. */
const NORMAL_RATE = 160
/** At 100 its male Spanish voices reach full scale; this value is about as loud as the natural voice. */
const VOLUME = 75
/** espeak refuses values below 80 and above 450. */
const MIN_RATE = 80
const MAX_RATE = 450

export async function loadEspeak(): Promise<Espeak> {
  // @ts-expect-error: it comes without types
  const { default: load }: { default: () => Promise<Module> } = await import('@echogarden/espeak-ng-emscripten')
  const module = await load()
  const worker = new module.eSpeakNGWorker()
  worker.set_volume(VOLUME)
  let voiceNow = ''
  const use = (voice: string) => {
    if (voice === voiceNow) return
    if (worker.set_voice(voice) !== 0) throw new Error(`espeak-ng has no voice ${voice}`)
    voiceNow = voice
  }
  return {
    rateHz: worker.get_samplerate(),
    synthesize(text, voice, speed, onSamples) {
      use(voice)
      worker.set_rate(Math.round(Math.min(MAX_RATE, Math.max(MIN_RATE, NORMAL_RATE * speed))))
      worker.synthesize(text, (samples) => (samples && samples.length > 0 ? !onSamples(samples) : false))
    },
    phonemes(text, voice) {
      use(voice)
      const said = textAt(module.HEAPU8, worker.text_to_phonemes(text, 1).ptr)
      // A foreign word stands between "(en)" and "(pt-br)".
      return said
        .replace(/\([a-z-]+\)/g, '')
        .split('|')
        .map((clause) => clause.trim())
        .filter((clause) => clause !== '')
    },
  }
}

function textAt(heap: Uint8Array, start: number): string {
  const end = heap.indexOf(0, start)
  return Buffer.from(heap.subarray(start, end)).toString('utf8')
}
