// Frames a byte stream (TCP, TLS) into SIP messages. Each byte is read once; memory is bounded by one message.
import {
  type Head,
  headTooLarge,
  MAX_HEAD_BYTES,
  MAX_MESSAGE_BYTES,
  messageOf,
  type ParseResult,
  readHead,
  refusal,
} from '../message/parse.ts'

const CR = 0x0d
const LF = 0x0a

export class StreamParser {
  #buffer: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  /** Up to here, the end of the headers was not found. */
  #scanned = 0
  /** The parsed headers while the body is incomplete; `#start` is then the start of the body. */
  #head: Head | null = null
  #emptyLines = 0
  #isFatal = false

  /** Framing is lost: the rest of the stream cannot be parsed, and the connection must be closed. */
  get fatal(): boolean {
    return this.#isFatal
  }

  /** Bytes of an incomplete message. */
  get waiting(): number {
    return this.#end - this.#start
  }

  /** 'keepalive' is a ping, to be answered with a CRLF (RFC 5626 section 4.4.1); at most one per chunk. */
  push(chunk: Buffer): Array<ParseResult | 'keepalive'> {
    const results: Array<ParseResult | 'keepalive'> = []
    if (this.#isFatal) return results
    this.#append(chunk)
    let isPinged = false
    while (!this.#isFatal) {
      if (!this.#head) {
        if (this.#skipEmptyLines()) isPinged = true
        if (!this.#readHead(results)) break
      }
      const head = this.#head
      if (!head || this.#isFatal) break
      const length = head.length ?? 0
      if (this.#end - this.#start < length) break
      // A copy: the buffer is reused.
      const body = Buffer.from(this.#buffer.subarray(this.#start, this.#start + length))
      this.#start += length
      this.#scanned = this.#start
      this.#head = null
      results.push(messageOf(head, body))
    }
    if (isPinged) results.push('keepalive')
    if (this.#isFatal || this.#start === this.#end) this.#forget()
    return results
  }

  #append(chunk: Buffer): void {
    const kept = this.#end - this.#start
    if (this.#end + chunk.length > this.#buffer.length) {
      const needed = kept + chunk.length
      const target = needed > this.#buffer.length ? Buffer.allocUnsafe(Math.max(needed, kept * 2, 2048)) : this.#buffer
      this.#buffer.copy(target, 0, this.#start, this.#end)
      this.#buffer = target
      this.#scanned -= this.#start
      this.#start = 0
      this.#end = kept
    }
    chunk.copy(this.#buffer, this.#end)
    this.#end += chunk.length
  }

  /** An idle connection keeps no buffer. */
  #forget(): void {
    this.#buffer = Buffer.alloc(0)
    this.#start = 0
    this.#end = 0
    this.#scanned = 0
  }

  /** True for two consecutive empty lines, a ping. A single one is a pong. */
  #skipEmptyLines(): boolean {
    let isPing = false
    while (this.#end - this.#start >= 2 && this.#buffer[this.#start] === CR && this.#buffer[this.#start + 1] === LF) {
      this.#start += 2
      this.#emptyLines++
      if (this.#emptyLines % 2 === 0) isPing = true
    }
    if (this.#scanned < this.#start) this.#scanned = this.#start
    return isPing
  }

  /** True if the headers are complete. */
  #readHead(results: Array<ParseResult | 'keepalive'>): boolean {
    if (this.#start === this.#end || (this.#end - this.#start === 1 && this.#buffer[this.#start] === CR)) return false
    this.#emptyLines = 0
    const from = Math.max(this.#start, this.#scanned - 3)
    const found = this.#buffer.subarray(from, this.#end).indexOf('\r\n\r\n', 0, 'latin1')
    if (found === -1) {
      this.#scanned = this.#end
      if (this.#end - this.#start > MAX_HEAD_BYTES) this.#lose(results, null, headTooLarge.problem, headTooLarge.status)
      else this.#checkBeginning(results)
      return false
    }
    const end = from + found
    if (end - this.#start > MAX_HEAD_BYTES) {
      this.#lose(results, null, headTooLarge.problem, headTooLarge.status)
      return false
    }
    const head = readHead(this.#buffer, this.#start, end)
    const size = end + 4 - this.#start + (head.length ?? 0)
    this.#start = end + 4
    this.#scanned = this.#start
    if (head.isFrameLost) this.#lose(results, head, head.wrong?.problem ?? 'not SIP', head.wrong?.status ?? 400)
    // RFC 3261 section 18.3: on a stream, only Content-Length marks the end of the body.
    else if (head.length === null) this.#lose(results, head, 'no Content-Length', 400)
    else if (size > MAX_MESSAGE_BYTES) this.#lose(results, head, 'larger than 64 KB', 513)
    else this.#head = head
    return this.#head !== null
  }

  /** Other protocols (TLS, HTTP/2, scanners) are detected by their first byte, without waiting for more. */
  #checkBeginning(results: Array<ParseResult | 'keepalive'>): void {
    const first = this.#buffer[this.#start] ?? 0
    if (first < 0x21 || first > 0x7e) this.#lose(results, null, 'not SIP', 400)
  }

  #lose(results: Array<ParseResult | 'keepalive'>, head: Head | null, problem: string, status: number): void {
    this.#isFatal = true
    results.push(head ? refusal(head, { problem, status }) : { problem, status, partial: null })
  }
}
