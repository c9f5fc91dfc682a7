// Names the tones of a telephone network by frequency and cadence, and the recording tone of a voicemail, which is none of them. Counts
// windows of 20 ms.
import type { HeardTone } from '../ports.ts'
import type { ToneRun } from './tone-runs.ts'

/** Longest recording tone, and its range. Voicemails use one frequency. */
const MAX_BEEP = 50
const MAX_BEEP_HZ = 2000
/** A single tone this low may be a recording tone or a tone of a network … */
const LOW_HZ = 500
/** … whose ringback is 425 Hz in Brazil and Europe, and 450 Hz in China; the clocks of gateways are about 1 % off. */
const RING_HZ = [425, 450] as const
const RING_SHARE = 0.013
/** Voicemails use 440 Hz and others, but not 425 Hz, the tone of call waiting too. */
const PROGRESS_SHARE = 0.02
/** Ringback: 1 or 2 s, or two short bursts. Known by the silence after it, longer than that of busy tones. */
const RING = { min: 43, max: 130 }
const SHORT_RING = { min: 14, max: 26 }
const SHORT_GAP = { min: 7, max: 16 }
const RING_QUIET = 30
/** A low tone that is not repeated within this was a recording tone. */
const BEEP_QUIET = 35
/** Bursts of busy and congestion, and the pauses between them. */
const MAX_BURST = 45
const MAX_PAUSE = 38
const MIN_BURSTS = 3
/** Busy pauses as long as it sounds; congestion does not, or is quicker in North America. */
const UNEVEN = 4
const UNEVEN_SHARE = 0.25
const QUICK = 18
/** Special information tone: three rising tones, with gaps of up to 100 ms. */
const SIT_HZ = [950, 1400, 1800] as const
const SIT_SHARE = 0.055
const SIT_LENGTH = { min: 10, max: 24 }
const SIT_GAP = 5
/** Fax calling tone: 1100 Hz ± 38 for 0.5 s ± 15 %, every 3 s. One alone may be a recording tone. */
const CNG_HZ = 1100
const CNG_SHARE = 0.035
const CNG_LENGTH = { min: 20, max: 29 }
const CNG_GAP = { min: 125, max: 180 }
/** Fax answer tone: 2100 Hz for 2.6 to 4 s, with phase reversals. */
const CED_HZ = 2100
const CED_SHARE = 0.016
const CED_LENGTH = 100
/** When a tone that goes on is reported, and how often. */
const EARLY = 10
const AGAIN = 50

type Range = { readonly min: number; readonly max: number }
type Burst = Pick<ToneRun, 'hz' | 'otherHz' | 'fromAt' | 'toAt'>

const lengthOf = ({ fromAt, toAt }: Burst) => toAt - fromAt + 1
const gapTo = (before: Burst, { fromAt }: Burst) => fromAt - before.toAt - 1
const isIn = (value: number, { min, max }: Range) => value >= min && value <= max
const isNear = (hz: number, wantedHz: number, share: number) => Math.abs(hz - wantedHz) <= share * wantedHz
const isOfNetwork = ({ hz, otherHz }: Burst) => otherHz > 0 || hz < LOW_HZ
const isSameSound = (a: Burst, b: Burst) => a.otherHz === b.otherHz && isNear(a.hz, b.hz, 0.03)

/** Takes, for each window, the tone that goes on and the one that has just ended. */
export function cadence(): (at: number, current: ToneRun | null, ended: ToneRun | null) => HeardTone | null {
  /** Bursts of one network tone with short pauses, the last of them. */
  let bursts: Burst[] = []
  /** A ring: the next one may be cut short by the answer. */
  let ring: Burst | null = null
  let sit: { stage: number; toAt: number } = { stage: 0, toAt: 0 }
  let calling: Burst | null = null

  function onEnd(run: ToneRun): HeardTone | null {
    if (isOfNetwork(run)) return burstEnded(run)
    if (isSitEnd(run)) return 'sit'
    if (run.isChained || run.isFollowed) return 'network'
    if (isNear(run.hz, CNG_HZ, CNG_SHARE) && isIn(lengthOf(run), CNG_LENGTH)) {
      const isRepeated = calling !== null && isIn(gapTo(calling, run), CNG_GAP)
      calling = run
      return isRepeated ? 'fax' : 'network'
    }
    return lengthOf(run) <= MAX_BEEP && run.hz <= MAX_BEEP_HZ ? 'beep' : null
  }

  function isSitEnd(run: ToneRun): boolean {
    const stage = SIT_HZ.findIndex((hz) => isNear(run.hz, hz, SIT_SHARE))
    const isNext = stage === 0 || (stage === sit.stage && run.fromAt - sit.toAt - 1 <= SIT_GAP)
    sit = { stage: isNext && isIn(lengthOf(run), SIT_LENGTH) ? stage + 1 : 0, toAt: run.toAt }
    return sit.stage === SIT_HZ.length
  }

  function burstEnded(run: ToneRun): HeardTone {
    const last = bursts.at(-1)
    const isRepeated = last !== undefined && isSameSound(last, run) && gapTo(last, run) <= MAX_PAUSE
    bursts = [...(isRepeated ? bursts.slice(1 - MIN_BURSTS) : []), run]
    return repeatedTone(bursts) ?? 'network'
  }

  /** What the silence since then says about the last burst. */
  function afterBurst(quiet: number): HeardTone | null {
    const [first, second, third] = bursts
    if (!first || third) return null
    if (quiet === RING_QUIET && isRing(first, second)) {
      ring = first
      return 'ringback'
    }
    const isCutRing = ring?.otherHz === 0 && isNear(first.hz, ring.hz, RING_SHARE)
    return quiet === BEEP_QUIET && !second && !isCutRing && isLowBeep(first) ? 'beep' : null
  }

  return (at, current, ended) => {
    const heard = ended && onEnd(ended)
    if (heard) return heard
    if (!current) return afterBurst(at - (bursts.at(-1)?.toAt ?? at))
    const length = at - current.fromAt + 1
    const isAnswer = isNear(current.hz, CED_HZ, CED_SHARE)
    if (isAnswer && length === CED_LENGTH) return 'fax'
    return (isAnswer || isOfNetwork(current)) && length % AGAIN === EARLY ? 'network' : null
  }
}

function isRing(first: Burst, second?: Burst): boolean {
  // Busy, and the dial tone.
  if (first.otherHz === 620 || first.hz === 350) return false
  if (first.otherHz === 0 && !RING_HZ.some((hz) => isNear(first.hz, hz, RING_SHARE))) return false
  if (!second) return isIn(lengthOf(first), RING)
  return (
    isIn(lengthOf(first), SHORT_RING) && isIn(lengthOf(second), SHORT_RING) && isIn(gapTo(first, second), SHORT_GAP)
  )
}

const isLowBeep = (burst: Burst) =>
  burst.otherHz === 0 && lengthOf(burst) <= MAX_BEEP && !isNear(burst.hz, RING_HZ[0], PROGRESS_SHARE) && !isRing(burst)

function repeatedTone(bursts: readonly Burst[]): 'busy' | 'congestion' | null {
  const [a, b, c] = bursts
  if (!a || !b || !c || bursts.some((burst) => lengthOf(burst) > MAX_BURST)) return null
  const lengths = bursts.map(lengthOf)
  const pauses = [gapTo(a, b), gapTo(b, c)]
  const all = [...lengths, ...pauses]
  const isEven = Math.max(...all) - Math.min(...all) <= Math.max(UNEVEN, UNEVEN_SHARE * Math.max(...all))
  const isQuick = c.otherHz === 620 && lengthOf(c) < QUICK
  return isEven && !isQuick ? 'busy' : 'congestion'
}
