// Asks the turn model whether the caller has finished; a prediction that is late is dropped, and the endpointing pause holds.
import { CANCELLED, waitAtMost } from '../../base/concurrency/abort.ts'
import type { Utterance } from '../listening/audio-history.ts'
import type { Clock, TurnModel } from '../ports.ts'

export type PredictorParts = {
  turnModel: TurnModel | undefined
  clock: Clock
  limitMs: number
  audioSince: (fromMs: number) => Utterance | undefined
  onPrediction: (recognition: number, probability: number) => void
  onError: (error: unknown) => void
}

export type PredictionRequest = { recognition: number; fromMs: number; text: string }

export function endOfTurnPredictor({ turnModel, clock, limitMs, audioSince, onPrediction, onError }: PredictorParts) {
  return {
    async predict({ recognition, fromMs, text }: PredictionRequest): Promise<void> {
      const audio = audioSince(fromMs)
      if (!turnModel || !audio) return
      const done = new AbortController()
      try {
        const probability = await waitAtMost(limitMs, turnModel.endOfTurn({ text, ...audio }, done.signal), clock)
        if (probability !== undefined) onPrediction(recognition, probability)
      } catch (error) {
        onError(error)
      } finally {
        done.abort(CANCELLED)
      }
    },
  }
}
