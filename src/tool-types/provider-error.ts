// An expected failure of a calendar or spreadsheet provider, reported to the model.
import type { Outcome } from './ports.ts'

export class ProviderError extends Error {
  /** It was sent and its outcome is unknown. */
  readonly isDoubtful: boolean
  constructor(message: string, isDoubtful = false) {
    super(message)
    this.isDoubtful = isDoubtful
  }

  get outcome(): Outcome {
    return { ok: false, error: this.message, ...(this.isDoubtful ? { isDoubtful: true } : {}) }
  }
}

/** The outcome of the work; a ProviderError becomes the outcome that it stands for. */
export async function providerOutcome(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderError) return error.outcome
    throw error
  }
}
