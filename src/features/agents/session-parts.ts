// The parts of an agent's session that rehearsals and campaign previews use.
import { collectFor, withCollect } from './collect-function.ts'
import { sessionOptions, speakerFor } from './session-options.ts'
import { turnMetrics } from './turn-metrics.ts'

export const sessionParts = { collectFor, withCollect, sessionOptions, speakerFor, turnMetrics }
export type SessionParts = typeof sessionParts
