// Asks the turn model whether the caller has finished. A late prediction is dropped: the endpointing pause from the transcript then applies.
import { CANCELLED, waitAtMost } from '../../base/concurrency/abort.ts'
import type { Clock, TurnModel } from '../ports.ts'
import type { UtteranceDetector } from '../utterance-detector.ts'

/** How long the turn model may take, and how much audio it gets. */
export const TURN_MODEL_MS = 150
export const TURN_MODEL_AUDIO_MS = 8000

type PredictorParts = {
  turnModel: TurnModel | undefined
  clock: Clock
  detector: Pick<UtteranceDetector, 'audioSince' | 'nowMs'>
  onPrediction: (recognition: number, probability: number) => void
  onError: (error: unknown) => void
}

export type PredictionRequest = { recognition: number; fromMs: number; text: string }

export function endOfTurnPredictor({ turnModel, clock, detector, onPrediction, onError }: PredictorParts) {
  return {
    async predict({ recognition, fromMs, text }: PredictionRequest): Promise<void> {
      const audio = detector.audioSince(Math.max(fromMs, detector.nowMs - TURN_MODEL_AUDIO_MS))
      if (!turnModel || !audio) return
      const done = new AbortController()
      try {
        const probability = await waitAtMost(TURN_MODEL_MS, turnModel.endOfTurn({ text, ...audio }, done.signal), clock)
        if (probability !== undefined) onPrediction(recognition, probability)
      } catch (error) {
        onError(error)
      } finally {
        done.abort(CANCELLED)
      }
    },
  }
}
