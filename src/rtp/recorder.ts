// Records a call as stereo WAV, caller left, agent right. The header is valid at every moment, also after a crash.
import { type FileHandle, open } from 'node:fs/promises'
import { createResampler, type Resampler } from '../audio/resample.ts'
import { parseWavHeader, pcmBytes, WAV_HEADER_BYTES, wavHeader } from '../audio/wav.ts'

const CHANNELS = 2
/** The first batch is shorter by chance, so that calls that began together do not write together. */
const SHORTEST_BATCH = 0.4
/** A disk that is so many batches (seconds) behind is given up. */
const MOST_WAITING = 10
export const DISK_SLOW = 'the disk is too slow'

export class Recorder {
  /** Resolves when the file is open, or cannot be. */
  readonly ready: Promise<void>
  readonly #rateHz: number
  readonly #onFailed: (problem: string) => void
  readonly #waiting: Int16Array[] = []
  #spare: Int16Array | null = null
  #batch: Int16Array
  #filled = 0
  #written = 0
  #file: FileHandle | null = null
  /** Nothing more is taken. */
  #isOver = false
  #hasFailed = false
  #writing: Promise<void>
  #isWriting = true
  #resamplers: { fromHz: number; left: Resampler; right: Resampler } | null = null

  /** What is written is kept from now on, also while the file is being opened. */
  constructor(path: string, rateHz: number, onFailed: (problem: string) => void) {
    this.#rateHz = rateHz
    this.#onFailed = onFailed
    const part = SHORTEST_BATCH + Math.random() * (1 - SHORTEST_BATCH)
    this.#batch = new Int16Array(CHANNELS * Math.round(rateHz * part))
    this.ready = this.#open(path)
    this.#writing = this.ready.then(() => this.#drain())
  }

  /** Both sides of the same moment, of the same length. */
  write(left: Int16Array, right: Int16Array, rateHz: number): void {
    if (this.#isOver) return
    if (rateHz === this.#rateHz) {
      if (this.#resamplers) this.#endResamplers()
      this.#interleave(left, right)
      return
    }
    if (this.#resamplers?.fromHz !== rateHz) {
      this.#endResamplers()
      const create = () => createResampler(rateHz, this.#rateHz)
      this.#resamplers = { fromHz: rateHz, left: create(), right: create() }
    }
    this.#interleave(this.#resamplers.left.push(left), this.#resamplers.right.push(right))
  }

  /** Resolves when the file is whole. Never rejects: a failure was told. */
  async finish(): Promise<void> {
    if (!this.#isOver) {
      this.#endResamplers()
      if (this.#filled > 0) this.#hand(this.#batch.subarray(0, this.#filled))
      this.#isOver = true
    }
    await this.#writing
    const file = this.#file
    this.#file = null
    await file?.close().catch(() => {})
  }

  #endResamplers(): void {
    const ending = this.#resamplers
    this.#resamplers = null
    if (ending) this.#interleave(ending.left.end(), ending.right.end())
  }

  #interleave(left: Int16Array, right: Int16Array): void {
    for (let i = 0; i < left.length; ) {
      const batch = this.#batch
      const end = Math.min(left.length, i + (batch.length - this.#filled) / CHANNELS)
      let at = this.#filled
      for (; i < end; i++) {
        batch[at++] = left[i] as number
        batch[at++] = right[i] as number
      }
      this.#filled = at
      if (at < batch.length) return
      this.#hand(batch)
      this.#batch = this.#spare ?? new Int16Array(CHANNELS * this.#rateHz)
      this.#spare = null
      this.#filled = 0
    }
  }

  #hand(batch: Int16Array): void {
    if (this.#waiting.length >= MOST_WAITING) this.#fail(DISK_SLOW)
    if (this.#hasFailed) return
    this.#waiting.push(batch)
    if (!this.#isWriting) this.#writing = this.#drain()
  }

  async #open(path: string): Promise<void> {
    try {
      this.#file = await open(path, 'w', 0o600)
      await this.#put(wavHeader(this.#rateHz, 0, CHANNELS), 0)
    } catch (error) {
      this.#fail(problemOf(error))
    }
  }

  /** Batch after batch: first the samples, then the header that counts them. */
  async #drain(): Promise<void> {
    this.#isWriting = true
    try {
      for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
        await this.#put(pcmBytes(batch), WAV_HEADER_BYTES + this.#written)
        this.#written += batch.byteLength
        await this.#put(wavHeader(this.#rateHz, this.#written / (2 * CHANNELS), CHANNELS), 0)
        if (batch.length === CHANNELS * this.#rateHz) this.#spare = batch
      }
    } catch (error) {
      this.#fail(problemOf(error))
    }
    this.#isWriting = false
  }

  async #put(bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      if (!this.#file) throw new Error('the file is not open')
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, position + at)
      at += bytesWritten
    }
  }

  #fail(problem: string): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#isOver = true
    this.#waiting.length = 0
    this.#onFailed(problem)
  }
}

/** The system's word alone: the path is nobody's business. */
const problemOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'the file cannot be written'

/** Makes the header of a recording that a dead process left say what is really there. True when it had to be changed. */
export async function repairWav(path: string): Promise<boolean> {
  const file = await open(path, 'r+')
  try {
    const start = Buffer.alloc(WAV_HEADER_BYTES)
    const { bytesRead } = await file.read(start, 0, start.length, 0)
    const header = parseWavHeader(start.subarray(0, bytesRead))
    if (!header || header.dataAt !== WAV_HEADER_BYTES) throw new Error('not a recording of ours')
    const { rateHz, channels } = header
    const { size } = await file.stat()
    const samples = Math.floor((size - WAV_HEADER_BYTES) / (2 * channels))
    if (header.dataBytes === samples * 2 * channels) return false
    await file.write(wavHeader(rateHz, samples, channels), 0, WAV_HEADER_BYTES, 0)
    return true
  } finally {
    await file.close()
  }
}
