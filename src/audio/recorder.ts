// Records a call as stereo WAV, caller left, agent right. The header is valid at every moment, also after a crash.
import { write as writeFile } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createResampler, type Resampler } from './resample.ts'
import { parseWavHeader, pcmBytes, WAV_HEADER_BYTES, wavHeader } from './wav.ts'

const CHANNELS = 2
/** The first batch is shorter by chance, so that calls that began together do not write together. */
const MIN_BATCH = 0.4
/** The header is updated every this many batches, since each update costs a write. After a crash `repairWav` counts the rest. */
const HEADER_EVERY = 8
/** Batches (seconds) that a disk may fall behind before recording is given up. */
const MAX_WAITING = 10
export const DISK_SLOW = 'the disk is too slow'

export class Recorder {
  /** Resolves when the file is open, or cannot be. */
  readonly ready: Promise<void>
  readonly #rateHz: number
  readonly #onFailed: (problem: string) => void
  readonly #waiting: Int16Array[] = []
  #spare: Int16Array | null = null
  #batch: Int16Array
  /** The batch with one number for both channels of a moment. */
  #pairs: Int32Array
  /** Pairs. */
  #filled = 0
  #written = 0
  /** Bytes that the header already counts. */
  #counted = 0
  #batches = 0
  #file: FileHandle | null = null
  /** Further samples are ignored. */
  #isOver = false
  #hasFailed = false
  #writing: Promise<void>
  #isWriting = true
  #resamplers: { fromHz: number; left: Resampler; right: Resampler } | null = null

  /** Samples are kept from now on, also while the file is still being opened. */
  constructor(path: string, rateHz: number, onFailed: (problem: string) => void) {
    this.#rateHz = rateHz
    this.#onFailed = onFailed
    const part = MIN_BATCH + Math.random() * (1 - MIN_BATCH)
    this.#batch = new Int16Array(CHANNELS * Math.round(rateHz * part))
    this.#pairs = pairsOf(this.#batch)
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

  /** Resolves when the file is complete. Never rejects: `onFailed` reports failures. */
  async finish(): Promise<void> {
    if (!this.#isOver) {
      this.#endResamplers()
      if (this.#filled > 0) this.#hand(this.#batch.subarray(0, CHANNELS * this.#filled))
      this.#isOver = true
    }
    await this.#writing
    // Also after a failure, so that the header covers what was written.
    if (this.#file) await this.#putHeader().catch((error) => this.#fail(problemOf(error)))
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
      const pairs = this.#pairs
      const end = Math.min(left.length, i + pairs.length - this.#filled)
      let at = this.#filled
      // Little-endian, as WAV is: the left sample first.
      for (; i < end; i++) pairs[at++] = ((left[i] as number) & 0xffff) | ((right[i] as number) << 16)
      this.#filled = at
      if (at < pairs.length) return
      this.#hand(this.#batch)
      this.#batch = this.#spare ?? new Int16Array(CHANNELS * this.#rateHz)
      this.#pairs = pairsOf(this.#batch)
      this.#spare = null
      this.#filled = 0
    }
  }

  #hand(batch: Int16Array): void {
    if (this.#waiting.length >= MAX_WAITING) this.#fail(DISK_SLOW)
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

  /** Batch after batch: first the samples, then, now and then, the header that counts them. */
  async #drain(): Promise<void> {
    this.#isWriting = true
    try {
      for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
        await this.#put(pcmBytes(batch), WAV_HEADER_BYTES + this.#written)
        this.#written += batch.byteLength
        if (this.#batches++ % HEADER_EVERY === 0) await this.#putHeader()
        if (batch.length === CHANNELS * this.#rateHz) this.#spare = batch
      }
    } catch (error) {
      this.#fail(problemOf(error))
    }
    this.#isWriting = false
  }

  async #putHeader(): Promise<void> {
    if (this.#written > this.#counted)
      await this.#put(wavHeader(this.#rateHz, this.#written / (2 * CHANNELS), CHANNELS), 0)
    this.#counted = this.#written
  }

  async #put(bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      if (!this.#file) throw new Error('the file is not open')
      at += await this.#putSome(this.#file.fd, bytes.subarray(at), position + at)
    }
  }

  /** With a callback: a write of the file handle costs several times as much, beside the clock of all calls. */
  #putSome(fd: number, bytes: Buffer, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      writeFile(fd, bytes, 0, bytes.length, position, (error, count) => (error ? reject(error) : resolve(count)))
    })
  }

  #fail(problem: string): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#isOver = true
    this.#waiting.length = 0
    this.#onFailed(problem)
  }
}

const pairsOf = (batch: Int16Array) => new Int32Array(batch.buffer, batch.byteOffset, batch.length / CHANNELS)

/** The system's error code without the message, which contains the path. */
const problemOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'the file cannot be written'

/** Corrects the header of a recording that a crashed process left. True when it had to be changed. */
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
