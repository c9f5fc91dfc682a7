// How this caller pauses while he speaks: what is waited for after an unfinished sentence follows it. Pure.

/** Of a caller of whom nothing is known yet. */
export const USUAL_PAUSE_MS = 800
/** How much of what was known stays when another pause is heard. */
const KEPT = 0.9
/** Who has not gone on after so many of his own pauses has finished. */
const PATIENCE = 1.5

/** The moving average of the pauses after which he went on. */
export const updateAveragePause = (paceMs: number, pauseMs: number): number => KEPT * paceMs + (1 - KEPT) * pauseMs

export const endpointingDelay = (paceMs: number): number => PATIENCE * paceMs

/** What a turn model says of the end of a turn, as a pause: 20 ms for one who has surely finished, 3 s for one who has surely not. */
export function pauseFor(finished: number): number {
  const doubt = 1 - Math.min(1, Math.max(0, finished))
  return 20 + 500 * Math.sqrt(doubt) + 2500 * doubt ** 3
}
