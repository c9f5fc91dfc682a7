// Endpointing delay: adapts to how long this caller pauses within a turn. Pure.

/** Before anything is known of the caller. */
export const DEFAULT_PAUSE_MS = 800
/** Weight of the past in the moving average. */
const SMOOTHING = 0.9
/** The turn ends after PATIENCE × the caller's average pause. */
const PATIENCE = 1.5

/** Moving average of the pauses after which the caller went on. */
export const updateAveragePause = (averagePauseMs: number, pauseMs: number): number =>
  SMOOTHING * averagePauseMs + (1 - SMOOTHING) * pauseMs

export const endpointingDelay = (averagePauseMs: number): number => PATIENCE * averagePauseMs

/** A turn model's probability as a pause: 20 ms when the caller has surely finished, 3 s when surely not. */
export function pauseForProbability(probability: number): number {
  const doubt = 1 - Math.min(1, Math.max(0, probability))
  return 20 + 500 * Math.sqrt(doubt) + 2500 * doubt ** 3
}
