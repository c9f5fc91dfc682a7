// In-band DTMF (ITU-T Q.23): tone generation, and detection with Goertzel filters (Q.24).

const LOW_HZ = [697, 770, 852, 941]
const HIGH_HZ = [1209, 1336, 1477, 1633]
const KEYS = '123A456B789C*0#D'
/** Each tone, of full scale: -11 dBm0 with its twin, as telephones send. */
const AMPLITUDE = 0.2
const FADE_MS = 2

/** Silence for other characters. */
export function toneOf(digit: string, ms: number, rateHz: number): Int16Array {
  const pcm = new Int16Array(Math.round((ms * rateHz) / 1000))
  const key = digit.length === 1 ? KEYS.indexOf(digit.toUpperCase()) : -1
  if (key < 0) return pcm
  const low = (2 * Math.PI * (LOW_HZ[key >> 2] as number)) / rateHz
  const high = (2 * Math.PI * (HIGH_HZ[key & 3] as number)) / rateHz
  const fade = (FADE_MS * rateHz) / 1000
  for (let i = 0; i < pcm.length; i++) {
    const gain = Math.min(1, (i + 1) / fade, (pcm.length - i) / fade)
    pcm[i] = Math.round(32767 * AMPLITUDE * gain * (Math.sin(low * i) + Math.sin(high * i)))
  }
  return pcm
}

/** 12.75 ms: wide enough to tell 697 from 770 Hz, short enough that 40 ms hold at least two whole blocks. */
const BLOCK_AT_8_KHZ = 102
/** Tones below -36 dBm0 are not digits (Q.24 has -27 for most administrations). */
const QUIETEST_TONE = 0.006
/** Q.24 table 1: the higher tone up to 4 dB stronger, the lower up to 8 dB; a little more for what codecs do to them. */
const TWIST_HIGH = 10 ** (6 / 10)
const TWIST_LOW = 10 ** (10 / 10)
/** Each tone stands 8 dB above the others of its group. */
const APART = 10 ** (8 / 10)
/** The pair holds this much of all energy in the block. Voices that pass the rest fail here. */
const PURITY = 0.7
/** Blocks in a row that begin a digit, and that end it: 25 ms each way, so a hole of one block does not make two digits. */
const TO_BEGIN = 2
const TO_END = 2

export class DtmfToneDetector {
  readonly #onDigit: (digit: string, durationMs: number) => void
  readonly #size: number
  readonly #blockMs: number
  readonly #factors: Float64Array
  readonly #block: Float64Array
  readonly #powers = new Float64Array(8)
  #filled = 0
  #energy = 0
  #candidate = ''
  #candidateFor = 0
  #digit = ''
  #blocks = 0
  #missing = 0

  constructor(rateHz: number, onDigit: (digit: string, durationMs: number) => void) {
    this.#onDigit = onDigit
    this.#size = Math.round((BLOCK_AT_8_KHZ * rateHz) / 8000)
    this.#blockMs = (this.#size * 1000) / rateHz
    this.#factors = Float64Array.from([...LOW_HZ, ...HIGH_HZ], (hz) => 2 * Math.cos((2 * Math.PI * hz) / rateHz))
    this.#block = new Float64Array(this.#size)
  }

  push(pcm: Int16Array): void {
    for (let i = 0; i < pcm.length; i++) {
      const sample = (pcm[i] as number) / 32768
      this.#block[this.#filled++] = sample
      this.#energy += sample * sample
      if (this.#filled < this.#size) continue
      this.#judge(this.#energy > (this.#size * QUIETEST_TONE ** 2) / 2 ? this.#pairInBlock() : '')
      this.#filled = 0
      this.#energy = 0
    }
  }

  /** The digit of this block; '' for none. */
  #pairInBlock(): string {
    for (let tone = 0; tone < 8; tone++) this.#powers[tone] = this.#power(this.#factors[tone] as number)
    const low = strongest(this.#powers, 0)
    const high = strongest(this.#powers, 4)
    if (low < 0 || high < 0) return ''
    const lowPower = this.#powers[low] as number
    const highPower = this.#powers[high] as number
    // A sine of amplitude a has power (a * size / 2)^2 in its filter and energy a^2 * size / 2.
    const floor = ((QUIETEST_TONE * this.#size) / 2) ** 2
    if (lowPower < floor || highPower < floor) return ''
    if (highPower > lowPower * TWIST_HIGH || lowPower > highPower * TWIST_LOW) return ''
    if (((lowPower + highPower) * 2) / this.#size < this.#energy * PURITY) return ''
    return KEYS[low * 4 + high - 4] as string
  }

  #power(factor: number): number {
    const block = this.#block
    let before = 0
    let last = 0
    for (let i = 0; i < block.length; i++) {
      const next = (block[i] as number) + factor * last - before
      before = last
      last = next
    }
    return last * last + before * before - factor * last * before
  }

  #judge(found: string): void {
    this.#candidateFor = found !== '' && found === this.#candidate ? this.#candidateFor + 1 : 1
    this.#candidate = found
    if (this.#digit !== '') {
      this.#blocks++
      this.#missing = found === this.#digit ? 0 : this.#missing + 1
      if (this.#missing < TO_END) return
      // Half a block was lost at each end, on the average.
      this.#onDigit(this.#digit, Math.round((this.#blocks - this.#missing + 1) * this.#blockMs))
      this.#digit = ''
    }
    if (found === '' || this.#candidateFor < TO_BEGIN) return
    this.#digit = found
    this.#blocks = this.#candidateFor
    this.#missing = 0
  }
}

/** Index of the one that stands out among four, or -1. */
function strongest(powers: Float64Array, from: number): number {
  let best = from
  for (let i = from + 1; i < from + 4; i++) if ((powers[i] as number) > (powers[best] as number)) best = i
  for (let i = from; i < from + 4; i++)
    if (i !== best && (powers[i] as number) * APART > (powers[best] as number)) return -1
  return best
}
