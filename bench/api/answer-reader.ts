// Minimal HTTP/1.1 response parser: status, Content-Length and chunked bodies only, so that the client costs less than
// the server it measures.

export type KeptAnswer = {
  status: number
  /** The raw header lines, names and values alternating. */
  headers: string[]
  isChunked: boolean
  /** The body, in the chunks in which it arrived. */
  pieces: string[]
}

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'last-line'

const LF = 10
const HEAD_STEP = 1024 // bytes searched at a time, so that a long body is not copied

export class AnswerReader {
  readonly #onAnswer: (status: number, kept: KeptAnswer | undefined) => void
  readonly #keep: boolean
  #state: State = 'head'
  #status = 0
  #left = 0
  #sizeLine = ''
  #head = ''
  #isChunked = false
  #pieces: Buffer[][] = []

  /** `keep`: the caller needs the whole response, not only its status. */
  constructor(onAnswer: (status: number, kept: KeptAnswer | undefined) => void, keep = false) {
    this.#onAnswer = onAnswer
    this.#keep = keep
  }

  read(bytes: Buffer, end: number): void {
    let at = 0
    while (at < end) {
      switch (this.#state) {
        case 'head':
          at = this.#readHead(bytes, at, end)
          break
        case 'body':
        case 'chunk':
          at = this.#readContent(bytes, at, end)
          break
        case 'chunk-size':
          at = this.#readSize(bytes, at, end)
          break
        case 'chunk-end':
        case 'last-line':
          if (bytes[at++] !== LF) break
          if (this.#state === 'last-line') this.#finish()
          else this.#state = 'chunk-size'
      }
    }
  }

  #readHead(bytes: Buffer, at: number, end: number): number {
    const before = this.#head.length
    const until = Math.min(end, at + HEAD_STEP)
    this.#head += bytes.toString('latin1', at, until)
    const stop = this.#head.indexOf('\r\n\r\n', Math.max(0, before - 3))
    if (stop === -1) return until
    this.#head = this.#head.slice(0, stop)
    this.#status = Number(this.#head.slice(9, 12))
    this.#isChunked = /\r\ntransfer-encoding: *chunked/i.test(this.#head)
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1] ?? 0)
    this.#pieces = []
    if (!this.#isChunked) this.#pieces.push([])
    this.#state = this.#isChunked ? 'chunk-size' : 'body'
    if (!this.#isChunked && this.#left === 0) this.#finish()
    return at + stop + 4 - before
  }

  #readSize(bytes: Buffer, at: number, end: number): number {
    const stop = bytes.indexOf(LF, at)
    const isWhole = stop !== -1 && stop < end
    this.#sizeLine += bytes.toString('latin1', at, isWhole ? stop : end)
    if (!isWhole) return end
    this.#left = Number.parseInt(this.#sizeLine, 16)
    this.#sizeLine = ''
    this.#state = this.#left === 0 ? 'last-line' : 'chunk'
    if (this.#left > 0) this.#pieces.push([])
    return stop + 1
  }

  #readContent(bytes: Buffer, at: number, end: number): number {
    const stop = Math.min(end, at + this.#left)
    if (this.#keep) this.#pieces.at(-1)?.push(Buffer.from(bytes.subarray(at, stop)))
    this.#left -= stop - at
    if (this.#left > 0) return stop
    if (this.#state === 'body') this.#finish()
    else this.#state = 'chunk-end'
    return stop
  }

  #finish(): void {
    const kept = this.#keep ? this.#kept() : undefined
    this.#state = 'head'
    this.#head = ''
    this.#onAnswer(this.#status, kept)
  }

  #kept(): KeptAnswer {
    const headers = this.#head
      .split('\r\n')
      .slice(1)
      .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    const pieces = this.#pieces.map((parts) => Buffer.concat(parts).toString('utf8'))
    return { status: this.#status, headers, isChunked: this.#isChunked, pieces }
  }
}
