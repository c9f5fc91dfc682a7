// Source lock: symmetric RTP that follows the peer through a NAT, then accepts no other source.
// Plain RTP proves nothing, so only addresses that the signaling vouches for can be latched: those of the SDP and of the signaling itself.

export type Source = { address: string; port: number }
export type Verdict = 'heard' | 'locked' | 'refused'
/** The address of the peer's signaling, and whether packets are authenticated (SRTP) and may come from anywhere. */
export type Trust = { signaling: string | null; isAuthenticated: boolean }

/** Consecutive packets of one SSRC before a source that the SDP does not name is accepted. */
const PROBATION = 3
/** The source from before a re-INVITE is still heard, but accepted again only if no other came for two seconds. */
const PROBATION_OF_FORMER = 100
/** After this long without a packet another port of the same address may take over. */
const SILENT_MS = 2000
const MAX_CANDIDATES = 16

type Candidate = { ssrc: number; sequence: number; count: number }

export class SourceLock {
  #expected: Source | null = null
  #trust: Trust = { signaling: null, isAuthenticated: false }
  #locked: Source | null = null
  /** Still heard, but no longer sent to. */
  #former: Source | null = null
  #lastMs = Number.NEGATIVE_INFINITY
  readonly #candidates = new Map<string, Candidate>()

  /** The address in the SDP; a new one releases the lock. */
  expect(remote: Source, trust: Trust): void {
    this.#trust = trust
    if (this.#expected && isSame(this.#expected, remote)) return
    this.#expected = { ...remote }
    if (this.#locked && isSame(this.#locked, remote)) return
    this.#former = this.#locked ?? this.#former
    this.#locked = null
    this.#candidates.clear()
  }

  get locked(): Source | null {
    return this.#locked
  }

  /** Where to send: to the locked source, else to the address in the SDP; null while that is unspecified (an old-style hold). */
  get target(): Source | null {
    const target = this.#locked ?? this.#expected
    return target && target.port > 0 && target.address !== '0.0.0.0' && target.address !== '::' ? target : null
  }

  /** A quick check without state: whether the packet is worth parsing. */
  mayBeHeard(address: string, port: number, nowMs: number): boolean {
    if (this.#locked && is(this.#locked, address, port)) return true
    return this.#isExpected(address, port) || (this.#mayLatch(address) && this.#isFree(nowMs))
  }

  /** Judges a valid RTP packet of a negotiated payload type. */
  judge(address: string, port: number, ssrc: number, sequence: number, nowMs: number): Verdict {
    if (this.#locked && is(this.#locked, address, port)) {
      this.#lastMs = nowMs
      if (this.#candidates.size > 0) this.#candidates.clear()
      return 'heard'
    }
    // The address in the SDP is accepted at once, even when another source was faster.
    if (this.#isExpected(address, port)) return this.#lock(address, port, nowMs)
    if (!this.#mayLatch(address) || !this.#isFree(nowMs)) return 'refused'
    const isFormer = this.#former !== null && is(this.#former, address, port)
    const count = this.#countInRow(`${address} ${port}`, ssrc, sequence)
    if (count >= (isFormer ? PROBATION_OF_FORMER : PROBATION)) return this.#lock(address, port, nowMs)
    return isFormer ? 'heard' : 'refused'
  }

  #lock(address: string, port: number, nowMs: number): Verdict {
    this.#locked = { address, port }
    this.#former = null
    this.#lastMs = nowMs
    this.#candidates.clear()
    return 'locked'
  }

  #isFree(nowMs: number): boolean {
    return !this.#locked || nowMs - this.#lastMs > SILENT_MS
  }

  /** Any port of the address: behind a NAT it is not known in advance. */
  #mayLatch(address: string): boolean {
    if (this.#trust.isAuthenticated) return true
    if (this.#locked) return address === this.#locked.address
    return [this.#expected?.address, this.#trust.signaling, this.#former?.address].includes(address)
  }

  #isExpected(address: string, port: number): boolean {
    return this.#expected !== null && is(this.#expected, address, port)
  }

  #countInRow(key: string, ssrc: number, sequence: number): number {
    const known = this.#candidates.get(key)
    const follows = known?.ssrc === ssrc && ((known.sequence + 1) & 0xffff) === sequence
    const count = known && follows ? known.count + 1 : 1
    if (known) Object.assign(known, { ssrc, sequence, count })
    else {
      if (this.#candidates.size >= MAX_CANDIDATES) this.#forgetOne()
      this.#candidates.set(key, { ssrc, sequence, count })
    }
    return count
  }

  /** Drops a candidate seen only once, else the oldest: a spray from many ports cannot evict a source that sends in order. */
  #forgetOne(): void {
    let victim: string | undefined
    for (const [key, { count }] of this.#candidates) {
      victim ??= key
      if (count > 1) continue
      victim = key
      break
    }
    if (victim !== undefined) this.#candidates.delete(victim)
  }
}

const is = (source: Source, address: string, port: number) => source.port === port && source.address === address
const isSame = (a: Source, b: Source) => is(a, b.address, b.port)
