// Source lock: symmetric RTP that follows the peer through a NAT, then accepts no other source.
// Plain RTP proves nothing, so only the addresses that the signaling vouches for can be latched: the SDP's and the signaling's own.

export type Source = { address: string; port: number }
export type Verdict = 'heard' | 'locked' | 'refused'
/** Where the peer's signaling comes from; and whether its packets prove themselves (SRTP), so that they may come from anywhere. */
export type Trust = { signaling: string | null; isAuthenticated: boolean }

/** Packets in a row, of one SSRC, before a source is believed that the SDP did not name. */
const PROBATION = 3
/** The source from before a re-INVITE goes on being heard, but is believed again only when nobody else came for two seconds. */
const PROBATION_OF_FORMER = 100
/** After so long without a packet another port of the same address may take over. */
const SILENT_MS = 2000
const MAX_CANDIDATES = 16

type Candidate = { ssrc: number; sequence: number; count: number }

export class SourceLock {
  #expected: Source | null = null
  #trust: Trust = { signaling: null, isAuthenticated: false }
  #locked: Source | null = null
  /** Heard, and sent to no more. */
  #former: Source | null = null
  #lastMs = Number.NEGATIVE_INFINITY
  readonly #candidates = new Map<string, Candidate>()

  /** What the SDP says; another address than before sets the lock free. */
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

  /** Where to send: to whom we listen, else to whom the SDP names; null while it names nobody (a hold of the old kind). */
  get target(): Source | null {
    const target = this.#locked ?? this.#expected
    return target && target.port > 0 && target.address !== '0.0.0.0' && target.address !== '::' ? target : null
  }

  /** Quick and without memory: is it worth while to look into the packet at all? */
  mayBeHeard(address: string, port: number, nowMs: number): boolean {
    if (this.#locked && is(this.#locked, address, port)) return true
    return this.#isExpected(address, port) || (this.#mayLatch(address) && this.#isFree(nowMs))
  }

  /** A packet that is valid RTP of an agreed payload type. */
  judge(address: string, port: number, ssrc: number, sequence: number, nowMs: number): Verdict {
    if (this.#locked && is(this.#locked, address, port)) {
      this.#lastMs = nowMs
      if (this.#candidates.size > 0) this.#candidates.clear()
      return 'heard'
    }
    // The SDP's own address is believed at once, also over another that was quicker.
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

  /** Any port of it: behind a NAT that is not known beforehand. */
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

  /** One that has come only once, else the oldest: a spray from many ports does not push out who sends in order. */
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
